// Where the result goes: standard output, a device or pipe, or a regular file that appears under
// its name only when it is complete. A name that ends in .gz is written as
// gzip. A name with places in it ({host}) is many files, each an Output of its own.
#pragma once

#include <unistd.h>

#include <memory>
#include <optional>
#include <string>

#include "base/io.h"
#include "codec/content_coding.h"
#include "pipeline/new_file.h"

namespace rehead {

class SplitOutput;

class Output {
 public:
  /// `name` as typed after -o; empty or "-" is standard output. A regular file is written beside
  /// its name, unnamed where the file system can do that.
  static Result<std::unique_ptr<Output>> open(const std::string& name);
  /// A regular file of that name, whatever stands in it, one of many: it is not synced to the disk.
  static Result<std::unique_ptr<Output>> open_part(const std::string& name);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// What is written into it; not while it is parked.
  ByteSink& sink();
  /// Not null if the name has places in it.
  SplitOutput* split() { return split_.get(); }
  /// Bytes written so far, as they are stored.
  std::uint64_t written() const;
  /// As diagnostics call it.
  const std::string& name() const { return name_; }
  bool is_stdout() const { return fd_ == STDOUT_FILENO; }
  /// True for a regular file: until commit() whatever had that name stays as it was.
  bool replaces() const;
  /// Writes out and closes, then gives a regular file its name. Without it such a file is gone.
  Status commit();
  /// Regular files: gives up descriptor and buffers until resume(), which appends.
  Status park();
  Status resume();

 private:
  Output();
  void begin_writing();
  static Result<std::unique_ptr<Output>> open_file(const std::string& name);
  Status finish_writing();

  std::string name_;
  NewFile file_;               // of a regular file
  int fd_ = -1;                // of anything else
  std::uint64_t written_ = 0;  // before it was parked
  std::unique_ptr<SplitOutput> split_;
  std::optional<FdSink> plain_;
  std::unique_ptr<codec::GzipSink> gzip_;
};

}  // namespace rehead
