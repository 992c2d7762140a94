// A regular file that appears under its name only when it is complete. It is
// written unnamed in the same folder, or under a hidden name where the file system cannot do that.
//
//   open    O_TMPFILE                     or  .NAME.rehead-XXXXXXXX
//   commit  fsync, link as .NAME.rehead-XXXXXXXX (only if NAME is taken), rename, fsync the folder
//
// Whatever had the name before stays whole until the rename and is gone after it: there is no
// moment at which the name stands for anything else.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "pipeline/process.h"

namespace rehead {

class NewFile {
 public:
  NewFile() = default;
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Begins what will be called `name`; a link is followed. An old file of that name gives its
  /// rights and attributes (file_rights.h); one that could not be overwritten is an Error.
  Status open(const std::string& name);
  bool begun() const { return !target_.empty(); }
  /// To be written to; not to be closed.
  int fd() const { return fd_; }
  /// One of many: it is not synced to the disk.
  void hasten() { durable_ = false; }
  /// Gives up the descriptor until resume(), which appends.
  Status park();
  Status resume();
  /// Gives it the name. With a `suffix` the old file goes on under its name and that. Without
  /// commit() nothing is left of the new file. `last_look`, if there is one, is asked once the
  /// bytes are on the disk, before any name changes; its Error ends it.
  Status commit(const std::string& suffix = {}, const std::function<Status()>& last_look = {});

 private:
  Status make_beside(mode_t mode);
  Status keep_old(const std::string& backup);
  Status take_beside();
  Status take_name();
  void settle_folder() const;

  bool durable_ = true;
  int fd_ = -1;
  std::string target_;  // resolved
  std::string beside_;  // the temporary name, once there is one
  std::optional<TemporaryName> temporary_;
};

/// An Error of the system: `what`, and what `number` means.
tl::unexpected<Error> system_error(std::string_view id, std::string_view what, int number);

}  // namespace rehead
