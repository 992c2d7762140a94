#include "pipeline/new_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "pipeline/file_rights.h"

namespace rehead {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> failed(std::string_view id, std::string_view what) {
  return system_error(id, what, errno);
}

std::string folder_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

/// A hidden name in the same folder that says whose it is.
std::string beside(const std::string& path) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  constexpr std::size_t kLongest = 200;  // of the name, which with the rest must stay below 255
  unsigned char random[8] = {};
  static_cast<void>(::getrandom(random, sizeof random, 0));
  std::string name = "." + fs::path(path).filename().string().substr(0, kLongest) + ".rehead-";
  for (const unsigned char byte : random) name += kLetters[byte % kLetters.size()];
  return folder_of(path) + "/" + name;
}

std::string proc_path(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

/// An unnamed file in that folder, or -1 where that cannot be had.
int open_unnamed(const std::string& folder, mode_t mode) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (fd >= 0 && ::access(proc_path(fd).c_str(), F_OK) == 0) return fd;
  if (fd >= 0) ::close(fd);
  return -1;
}

/// Waits until the bytes are on the disk; a signal does not end that.
int sync(int fd) {
  int result = 0;
  do {
    result = ::fsync(fd);
  } while (result != 0 && errno == EINTR);
  return result;
}

/// A directory entry is on the disk only after this. Some file systems cannot; that is no error.
void sync_folder(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  static_cast<void>(sync(fd));
  ::close(fd);
}

/// In a sticky folder only the owner of a file, or of the folder, may give its name to another
/// file (and link() may still give the file a name that then cannot be taken away).
bool is_out_of_reach(const struct stat& file, const std::string& folder) {
  struct stat status {};
  const uid_t user = ::geteuid();
  return user != 0 && user != file.st_uid && ::stat(folder.c_str(), &status) == 0 &&
         (status.st_mode & S_ISVTX) != 0 && user != status.st_uid;
}

}  // namespace

tl::unexpected<Error> system_error(std::string_view id, std::string_view what, int number) {
  return fail({Errc::io, id, std::string(what) + ": " + std::generic_category().message(number)});
}

Status NewFile::open(const std::string& name) {
  std::error_code unresolved;
  const fs::path resolved = fs::canonical(name, unresolved);
  target_ = unresolved ? name : resolved.string();
  std::error_code unknown;
  if (unresolved && fs::is_symlink(fs::path(name), unknown)) {
    return fail({Errc::io, "open-output", "cannot write: the link leads nowhere"});
  }
  struct stat old {};
  const bool there = ::stat(target_.c_str(), &old) == 0;
  if (!there && errno == ENAMETOOLONG) return failed("open-output", "cannot create");
  // A file that could not be overwritten is not replaced either, though its folder would allow it.
  if (there && ::access(target_.c_str(), W_OK) != 0) return failed("open-output", "cannot write");
  if (there && is_out_of_reach(old, folder_of(target_))) {
    return system_error("open-output", "cannot replace", EPERM);
  }
  const mode_t mode = there ? 0600 : 0666;
  fd_ = open_unnamed(folder_of(target_), mode);
  if (fd_ < 0) {
    if (auto done = make_beside(mode); !done) return done;
  }
  if (there) copy_rights(fd_, target_, old);
  return {};
}

Status NewFile::make_beside(mode_t mode) {
  beside_ = beside(target_);
  const NamedMoment moment;
  temporary_.emplace(beside_);
  fd_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (fd_ >= 0) return {};
  const int number = errno;
  beside_.clear();
  temporary_.reset();
  return system_error("open-output", "cannot create a file there", number);
}

Status NewFile::commit(const std::string& suffix, const std::function<Status()>& last_look) {
  // After fsync the bytes are safe, and once the name is taken there is no way back.
  if (durable_ && sync(fd_) != 0) return failed("write", "cannot write");
  if (last_look) {
    if (auto done = last_look(); !done) return done;
  }
  if (!suffix.empty()) {
    if (auto done = keep_old(target_ + suffix); !done) return done;
  }
  return take_name();
}

/// The old file gets a second name, by way of a hidden one: what had that name goes in one step.
Status NewFile::keep_old(const std::string& backup) {
  const std::string path = beside(backup);
  const NamedMoment moment;
  const TemporaryName temporary(path);
  if (::link(target_.c_str(), path.c_str()) != 0) return failed("backup", "cannot make the backup");
  const int renamed = ::rename(path.c_str(), backup.c_str());
  const int number = errno;
  // rename() leaves both names alone if they stand for one file already.
  static_cast<void>(::unlink(path.c_str()));
  if (renamed != 0) return system_error("backup", "cannot make the backup", number);
  return {};
}

/// An unnamed file gets a name of its own.
Status NewFile::take_beside() {
  std::string path = beside(target_);
  const NamedMoment moment;
  temporary_.emplace(path);
  const std::string unnamed = proc_path(fd_);
  if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    return failed("rename", "cannot create");
  }
  beside_ = std::move(path);
  return {};
}

Status NewFile::take_name() {
  std::optional<NamedMoment> moment(std::in_place);
  if (beside_.empty()) {
    const std::string unnamed = proc_path(fd_);
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, target_.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      moment.reset();
      settle_folder();
      return {};
    }
    if (errno != EEXIST) return failed("rename", "cannot create");
    if (auto done = take_beside(); !done) return done;
  }
  if (::rename(beside_.c_str(), target_.c_str()) != 0) return failed("rename", "cannot rename");
  beside_.clear();
  temporary_.reset();
  moment.reset();
  settle_folder();
  return {};
}

void NewFile::settle_folder() const {
  if (durable_) sync_folder(folder_of(target_));
}

Status NewFile::park() {
  if (beside_.empty()) {
    if (auto done = take_beside(); !done) return done;
  }
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0 && errno != EINTR) return failed("write", "cannot write");
  return {};
}

Status NewFile::resume() {
  fd_ = ::open(beside_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (fd_ < 0) return failed("open-output", "cannot write on");
  return {};
}

NewFile::~NewFile() {
  if (!beside_.empty()) ::unlink(beside_.c_str());
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace rehead
