#include "pipeline/output.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace rehead {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> failed(std::string_view id, std::string_view what, int number = errno) {
  return fail({Errc::io, id, std::string(what) + ": " + std::generic_category().message(number)});
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

/// A directory entry is on the disk only after this. Some file systems cannot; that is no error.
void sync_folder(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  static_cast<void>(::fsync(fd));
  ::close(fd);
}

}  // namespace

Result<std::unique_ptr<Output>> Output::open(const std::string& name) {
  std::unique_ptr<Output> output(new Output);
  struct stat status {};
  Status done;
  if (name.empty() || name == "-") {
    output->name_ = "<stdout>";
    output->fd_ = STDOUT_FILENO;
    // prepare_process() puts a descriptor that cannot be written where there was none.
    if ((::fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY) {
      done = fail({Errc::io, "output-closed", "standard output is closed"});
    }
  } else {
    output->name_ = name;
    const bool there = ::stat(name.c_str(), &status) == 0;
    done =
        there && !S_ISREG(status.st_mode) ? output->open_special(name) : output->open_beside(name);
  }
  if (!done) return fail(std::move(done.error()));
  output->plain_.emplace(output->fd_);
  if (name.ends_with(".gz")) output->gzip_ = std::make_unique<codec::GzipSink>(*output->plain_);
  return output;
}

Status Output::open_special(const std::string& path) {
  fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd_ < 0) return failed("open-output", "cannot write");
  return {};
}

Status Output::open_beside(const std::string& path) {
  std::error_code unresolved;
  const fs::path resolved = fs::canonical(path, unresolved);
  target_ = unresolved ? path : resolved.string();
  if (unresolved && fs::is_symlink(fs::path(path))) {
    return fail({Errc::io, "open-output", "cannot write: the link leads nowhere"});
  }
  struct stat old {};
  const bool there = ::stat(target_.c_str(), &old) == 0;
  // A file that could not be overwritten is not replaced either, though its folder would allow it.
  if (there && ::access(target_.c_str(), W_OK) != 0) return failed("open-output", "cannot write");
  const mode_t mode = there ? 0600 : 0666;
  fd_ = open_unnamed(folder_of(target_), mode);
  if (fd_ < 0) {
    beside_ = beside(target_);
    temporary_.emplace(beside_);
    fd_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd_ < 0) {
      const int number = errno;
      beside_.clear();
      return failed("open-output", "cannot create a file there", number);
    }
  }
  if (there) {
    static_cast<void>(::fchown(fd_, old.st_uid, old.st_gid));  // as far as it is allowed
    static_cast<void>(::fchmod(fd_, old.st_mode & 07777));
  }
  return {};
}

Status Output::commit() {
  if (gzip_) {
    if (auto done = gzip_->finish(); !done) return done;
  }
  if (auto done = plain_->flush(); !done) return done;
  // After fsync the bytes are safe, and once the name is taken there is no way back.
  if (replaces()) {
    if (::fsync(fd_) != 0) return failed("write", "cannot write");
    return take_name();
  }
  // Some file systems tell only here that there was no room.
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0 && errno != EINTR) return failed("write", "cannot write");
  return {};
}

Status Output::take_name() {
  const std::string unnamed = proc_path(fd_);
  if (beside_.empty()) {
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, target_.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      sync_folder(folder_of(target_));
      return {};
    }
    if (errno != EEXIST) return failed("rename", "cannot create");
    std::string path = beside(target_);
    temporary_.emplace(path);
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      return failed("rename", "cannot create");
    }
    beside_ = std::move(path);
  }
  if (::rename(beside_.c_str(), target_.c_str()) != 0) return failed("rename", "cannot rename");
  beside_.clear();
  temporary_.reset();
  sync_folder(folder_of(target_));
  return {};
}

Output::~Output() {
  if (!beside_.empty()) ::unlink(beside_.c_str());
  if (fd_ >= 0 && fd_ != STDOUT_FILENO) ::close(fd_);
}

}  // namespace rehead
