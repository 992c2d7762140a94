// An input that is read more than once: to be worked on, and to see whether anything changed. A
// pipe is copied into an unnamed temporary file first.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <string>

#include "base/io.h"

namespace rehead {

class Original {
 public:
  Original() = default;
  ~Original();
  Original(const Original&) = delete;
  Original& operator=(const Original&) = delete;

  enum class Kind : std::uint8_t { any, replaceable };
  /// `name`: a file, or "-" for standard input. What cannot be replaced is not even opened if it
  /// has to be: a pipe would wait, a device would never end. A replaceable file is locked until
  /// this dies: another run that wants to replace it waits, and then opens what stands there.
  Status open(const std::string& name, Kind kind);
  /// Reads it from the start, as it is stored. Dies before this.
  std::unique_ptr<Reader> read() const;
  /// The same with gzip undone if `gzip`.
  std::unique_ptr<Reader> read(bool gzip) const;
  /// Bytes, as it is stored.
  std::uint64_t size() const { return static_cast<std::uint64_t>(status_.st_size); }
  /// An Error if somebody else has written to it or changed its rights since open(), or has put
  /// another file in its place.
  Status check_untouched() const;

 private:
  Status open_replaceable(const std::string& name);
  Status copy_of(int fd);

  int fd_ = -1;
  std::string name_;  // of a regular file
  struct stat status_ {};
};

}  // namespace rehead
