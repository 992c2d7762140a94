// Memory is taken in blocks, so that growing never copies and a warm spool allocates nothing. What
// goes beyond it stands in a file that has no name from the start (O_TMPFILE) or loses it at once.
#include "base/spool.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

namespace rehead {
namespace {

int open_unlinked(const std::string& folder) {
#ifdef O_TMPFILE
  const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (unnamed >= 0) return unnamed;
#endif
  std::string path = folder + "/rehead-XXXXXX";
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd >= 0) ::unlink(path.c_str());
  return fd;
}

Error file_error(const std::string& doing, const std::string& why) {
  return {Errc::io, "temporary-file", "cannot " + doing + " a temporary file: " + why,
          "TMPDIR names another folder for it"};
}

}  // namespace

Status in_temporary_file(Status done) {
  if (done || done.error().code != Errc::io) return done;
  return fail(file_error("write", done.error().what.substr(done.error().what.rfind(": ") + 2)));
}

/// The temporary file: written to its end, then read from its start, any number of times.
class Spool::File {
 public:
  explicit File(int fd) : reader_(fd), sink_(fd), fd_(fd) {}

  static Result<std::unique_ptr<File>> open() {
    const char* named = std::getenv("TMPDIR");
    const std::string folder = named != nullptr && *named != '\0' ? named : "/tmp";
    const int fd = open_unlinked(folder);
    if (fd < 0) return fail(file_error("make", std::generic_category().message(errno)));
    return std::make_unique<File>(fd);
  }
  Status write(std::string_view bytes) { return in_temporary_file(sink_.write(bytes)); }
  Result<std::string_view> read() {
    if (!reading_) {
      if (auto done = in_temporary_file(sink_.flush()); !done) {
        return fail(std::move(done.error()));
      }
      if (::lseek(fd_, 0, SEEK_SET) != 0) {
        return fail(file_error("read", std::generic_category().message(errno)));
      }
      if (!block_) block_ = std::make_unique_for_overwrite<char[]>(kBlock);
      reading_ = true;
    }
    auto got = reader_.read({block_.get(), kBlock});
    if (!got) return fail(std::move(got.error()));
    if (*got == 0) return fail(file_error("read", "it ends early"));
    return std::string_view(block_.get(), *got);
  }
  void rewind() { reading_ = false; }

 private:
  FdReader reader_;  // closes it
  FdSink sink_;
  int fd_;
  bool reading_ = false;
  std::unique_ptr<char[]> block_;
};

Spool::Spool() = default;
Spool::~Spool() = default;

void Spool::start(ByteSource& upstream, std::size_t memory) {
  upstream_ = &upstream;
  memory_ = memory;
  size_ = in_blocks_ = given_ = 0;
  ended_ = recording_ = false;
  failure_.reset();
  file_.reset();
}

void Spool::remember(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t used = in_blocks_ % kBlock;
    const std::size_t index = in_blocks_ / kBlock;
    if (index == blocks_.size()) {
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(kBlock));
    }
    const std::size_t taken = std::min(bytes.size(), kBlock - used);
    std::memcpy(blocks_[index].get() + used, bytes.data(), taken);
    in_blocks_ += taken;
    bytes.remove_prefix(taken);
  }
}

Status Spool::store(std::string_view bytes) {
  if (!file_) {
    auto opened = File::open();
    if (!opened) return fail(std::move(opened.error()));
    file_ = std::move(*opened);
  }
  return file_->write(bytes);
}

/// The next bytes or end of the upstream; remembers how it ended.
Result<Piece> Spool::next() {
  if (failure_) return fail(*failure_);
  auto piece = upstream_->pull();
  if (!piece) {
    failure_ = piece.error();
  } else {
    ended_ = piece->kind == Piece::Kind::end;
  }
  return piece;
}

Result<bool> Spool::hold() {
  while (!ended_ && size_ <= memory_) {
    auto piece = next();
    if (!piece) return fail(std::move(piece.error()));
    remember(piece->bytes);
    size_ += piece->bytes.size();
  }
  return size_ <= memory_;
}

Status Spool::hold_all() {
  if (auto held = hold(); !held) return fail(std::move(held.error()));
  while (!ended_) {
    auto piece = next();
    if (!piece) return fail(std::move(piece.error()));
    if (piece->bytes.empty()) continue;
    if (auto done = store(piece->bytes); !done) {
      failure_ = done.error();
      return done;
    }
    size_ += piece->bytes.size();
  }
  return {};
}

void Spool::rewind() {
  given_ = 0;
  recording_ = false;
  if (file_) file_->rewind();
}

Result<Piece> Spool::pull() {
  if (given_ < in_blocks_) {
    const std::size_t at = static_cast<std::size_t>(given_);  // always the start of a block
    const std::string_view bytes{blocks_[at / kBlock].get(), std::min(kBlock, in_blocks_ - at)};
    given_ += bytes.size();
    return Piece{Piece::Kind::bytes, bytes};
  }
  if (given_ < size_) {
    auto bytes = file_->read();
    if (!bytes) return fail(std::move(bytes.error()));
    given_ += bytes->size();
    return Piece{Piece::Kind::bytes, *bytes};
  }
  if (ended_) return Piece{};
  auto piece = next();
  if (recording_ && piece) {
    remember(piece->bytes);
    size_ += piece->bytes.size();
    given_ = size_;
    recording_ = size_ <= memory_;
  }
  return piece;
}

}  // namespace rehead
