// Where the result goes: standard output, a device or pipe, or a regular file that appears under
// its name only when it is complete (spec sections 1 and 9). A name that ends in .gz is written as
// gzip.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/io.h"
#include "codec/content_coding.h"
#include "pipeline/process.h"

namespace rehead {

class Output {
 public:
  /// `name` as typed after -o; empty or "-" is standard output. A regular file is written beside
  /// its name, unnamed where the file system can do that.
  static Result<std::unique_ptr<Output>> open(const std::string& name);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  ByteSink& sink() { return gzip_ ? static_cast<ByteSink&>(*gzip_) : *plain_; }
  /// Bytes written so far, as they are stored.
  std::uint64_t written() const { return plain_->written(); }
  /// As diagnostics call it.
  const std::string& name() const { return name_; }
  /// True for a regular file: until commit() whatever had that name stays as it was.
  bool replaces() const { return !target_.empty(); }
  /// Writes out and closes, then gives a regular file its name. Without it such a file is gone.
  Status commit();

 private:
  Output() = default;
  Status open_special(const std::string& path);
  Status open_beside(const std::string& path);
  Status take_name();

  std::string name_;
  std::string target_;  // regular files: the resolved path
  std::string beside_;  // the temporary name, once there is one
  std::optional<TemporaryName> temporary_;
  int fd_ = -1;
  std::optional<FdSink> plain_;
  std::unique_ptr<codec::GzipSink> gzip_;
};

}  // namespace rehead
