#include "pipeline/original.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/spool.h"
#include "codec/content_coding.h"
#include "pipeline/new_file.h"
#include "pipeline/process.h"

namespace rehead {
namespace {

/// Reads from a place of its own, so that several can read one descriptor.
class PlacedReader final : public Reader {
 public:
  explicit PlacedReader(int fd) : fd_(fd) {}
  Result<std::size_t> read(std::span<char> into) override {
    while (true) {
      const ssize_t got = ::pread(fd_, into.data(), into.size(), place_);
      if (got >= 0) {
        place_ += got;
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) return system_error("read", "cannot read", errno);
    }
  }

 private:
  int fd_;
  off_t place_ = 0;
};

bool same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec &&
         a.st_mode == b.st_mode && a.st_uid == b.st_uid && a.st_gid == b.st_gid;
}

/// An unnamed file in TMPDIR, or -1.
int open_temporary() {
  const NamedMoment moment;
  const char* folder = std::getenv("TMPDIR");
  std::string name = folder != nullptr && *folder != '\0' ? folder : "/tmp";
  name += "/rehead-XXXXXX";
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd >= 0) ::unlink(name.c_str());
  return fd;
}

}  // namespace

Original::~Original() {
  if (fd_ >= 0) ::close(fd_);
}

/// The file of that name, locked: once the lock is had, the name may stand for another file.
Status Original::open_replaceable(const std::string& name) {
  while (true) {
    if (::stat(name.c_str(), &status_) == 0 && !S_ISREG(status_.st_mode) &&
        !S_ISDIR(status_.st_mode)) {
      return fail({Errc::io, "not-regular", "no regular file, so it cannot be replaced"});
    }
    fd_ = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd_ < 0) return system_error("open", "cannot open", errno);
    int locked = 0;
    do {
      locked = ::flock(fd_, LOCK_EX);
    } while (locked != 0 && errno == EINTR);
    // A file system without locks has only check_untouched().
    struct stat now {};
    if (::fstat(fd_, &status_) != 0) return system_error("open", "cannot open", errno);
    if (::stat(name.c_str(), &now) != 0) return system_error("open", "cannot open", errno);
    if (now.st_dev == status_.st_dev && now.st_ino == status_.st_ino) return {};
    ::close(std::exchange(fd_, -1));
  }
}

Status Original::open(const std::string& name, Kind kind) {
  const bool standard = name == "-";
  if (kind == Kind::replaceable && !standard) {
    if (auto done = open_replaceable(name); !done) return done;
  } else {
    const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY;
    fd_ = standard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : ::open(name.c_str(), flags);
    if (fd_ < 0) return system_error("open", "cannot open", errno);
    if (::fstat(fd_, &status_) != 0) return system_error("open", "cannot open", errno);
  }
  if (S_ISDIR(status_.st_mode)) return fail(folder_error());
  // Standard input may stand in the middle of its file.
  if (S_ISREG(status_.st_mode) && !standard) {
    name_ = name;
    return {};
  }
  if (kind == Kind::replaceable) {
    return fail({Errc::io, "not-regular", "no regular file, so it cannot be replaced"});
  }
  const int from = std::exchange(fd_, open_temporary());
  Status done;
  if (fd_ < 0) {
    done = in_temporary_file(system_error("temporary", "cannot make it", errno));
  } else {
    done = copy_of(from);
  }
  ::close(from);
  return done;
}

Status Original::copy_of(int fd) {
  FdReader reader(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
  FdSink sink(fd_);
  std::array<char, std::size_t{64} << 10> block;
  while (true) {
    auto got = reader.read(block);
    if (!got) return fail(std::move(got.error()));
    if (*got == 0) break;
    if (auto done = sink.write({block.data(), *got}); !done) return in_temporary_file(std::move(done));
  }
  if (auto done = sink.flush(); !done) return in_temporary_file(std::move(done));
  if (::fstat(fd_, &status_) != 0) return system_error("read", "cannot read", errno);
  return {};
}

std::unique_ptr<Reader> Original::read() const { return std::make_unique<PlacedReader>(fd_); }

std::unique_ptr<Reader> Original::read(bool gzip) const {
  return gzip ? codec::make_gunzip_reader(read()) : read();
}

Status Original::check_untouched() const {
  struct stat here {};
  if (::fstat(fd_, &here) != 0) return system_error("read", "cannot read", errno);
  struct stat there = here;
  const bool gone = !name_.empty() && ::stat(name_.c_str(), &there) != 0;
  if (!gone && same(here, status_) && same(there, status_)) return {};
  return fail({Errc::io, "written-meanwhile", "somebody else wrote to it meanwhile"});
}

}  // namespace rehead
