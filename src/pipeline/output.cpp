#include "pipeline/output.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "pipeline/split_output.h"

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

Output::Output() = default;

Result<std::unique_ptr<Output>> Output::open(const std::string& name) {
  if (!NameTemplate::has_places(name)) return open_file(name);
  auto places = NameTemplate::parse(name);
  if (!places) return fail(std::move(places.error()));
  std::unique_ptr<Output> output(new Output);
  output->name_ = name;
  output->split_ = std::make_unique<SplitOutput>(std::move(*places));
  return output;
}

Result<std::unique_ptr<Output>> Output::open_part(const std::string& name) {
  std::error_code failed_to;
  fs::create_directories(folder_of(name), failed_to);
  if (failed_to) {
    return failed("open-output", "cannot make its folder", failed_to.value());
  }
  auto output = open_file(name);
  if (output) (*output)->durable_ = false;
  return output;
}

Result<std::unique_ptr<Output>> Output::open_file(const std::string& name) {
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
  output->begin_writing();
  return output;
}

void Output::begin_writing() {
  plain_.emplace(fd_);
  if (name_.ends_with(".gz")) gzip_ = std::make_unique<codec::GzipSink>(*plain_);
}

ByteSink& Output::sink() {
  if (split_) return *split_;
  return gzip_ ? static_cast<ByteSink&>(*gzip_) : *plain_;
}

bool Output::replaces() const { return split_ ? split_->replaces() : !target_.empty(); }

std::uint64_t Output::written() const {
  return split_ ? split_->written() : written_ + (plain_ ? plain_->written() : 0);
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

/// What is held leaves the program.
Status Output::finish_writing() {
  if (gzip_) {
    if (auto done = gzip_->finish(); !done) return done;
  }
  return plain_->flush();
}

Status Output::commit() {
  if (split_) return split_->commit();
  if (!plain_) {
    if (auto done = resume(); !done) return done;
  }
  if (auto done = finish_writing(); !done) return done;
  // After fsync the bytes are safe, and once the name is taken there is no way back.
  if (replaces()) {
    if (durable_ && ::fsync(fd_) != 0) return failed("write", "cannot write");
    return take_name();
  }
  // Some file systems tell only here that there was no room.
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0 && errno != EINTR) return failed("write", "cannot write");
  return {};
}

Status Output::park() {
  if (auto done = finish_writing(); !done) return done;
  if (beside_.empty()) {
    if (auto done = take_beside(); !done) return done;
  }
  written_ += plain_->written();
  gzip_.reset();
  plain_.reset();
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0 && errno != EINTR) return failed("write", "cannot write");
  return {};
}

/// Of gzip another member follows (RFC 1952 2.2).
Status Output::resume() {
  fd_ = ::open(beside_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (fd_ < 0) return failed("open-output", "cannot write on");
  begin_writing();
  return {};
}

/// An unnamed file gets a name of its own.
Status Output::take_beside() {
  std::string path = beside(target_);
  temporary_.emplace(path);
  const std::string unnamed = proc_path(fd_);
  if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    return failed("rename", "cannot create");
  }
  beside_ = std::move(path);
  return {};
}

Status Output::take_name() {
  if (beside_.empty()) {
    const std::string unnamed = proc_path(fd_);
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, target_.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      settle_folder();
      return {};
    }
    if (errno != EEXIST) return failed("rename", "cannot create");
    if (auto done = take_beside(); !done) return done;
  }
  if (::rename(beside_.c_str(), target_.c_str()) != 0) return failed("rename", "cannot rename");
  beside_.clear();
  temporary_.reset();
  settle_folder();
  return {};
}

void Output::settle_folder() const {
  if (durable_) sync_folder(folder_of(target_));
}

Output::~Output() {
  if (!beside_.empty()) ::unlink(beside_.c_str());
  if (fd_ >= 0 && fd_ != STDOUT_FILENO) ::close(fd_);
}

}  // namespace rehead
