#include "base/io.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace rehead {
namespace {

std::string system_text(int number) { return std::generic_category().message(number); }

/// A pipe as large as what is read and written at a time: fewer turns of both its ends. Where that
/// cannot be it stays as it is.
void widen_pipe(int fd) {
  constexpr int kWanted = 256 << 10;
  const int size = ::fcntl(fd, F_GETPIPE_SZ);
  if (size > 0 && size < kWanted) ::fcntl(fd, F_SETPIPE_SZ, kWanted);
}

}  // namespace

FdReader::FdReader(int fd) : fd_(fd) { widen_pipe(fd_); }

FdReader::~FdReader() {
  if (fd_ != STDIN_FILENO) ::close(fd_);
}

Result<std::size_t> FdReader::read(std::span<char> into) {
  while (true) {
    const ssize_t got = ::read(fd_, into.data(), into.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EAGAIN) {  // a descriptor somebody else made non-blocking
      pollfd waiting{fd_, POLLIN, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      return fail({Errc::io, "read", "cannot read: " + system_text(errno)});
    }
  }
}

bool FdReader::would_block() {
  pollfd waiting{fd_, POLLIN, 0};
  return ::poll(&waiting, 1, 0) == 0;
}

Result<std::size_t> MemoryReader::read(std::span<char> into) {
  const std::size_t size = std::min({bytes_.size(), into.size(), step_});
  if (size != 0) std::memcpy(into.data(), bytes_.data(), size);
  bytes_.remove_prefix(size);
  return size;
}

FdSink::FdSink(int fd) : fd_(fd) {
  buffer_.reserve(kBuffer);
  widen_pipe(fd_);
}

Status FdSink::write(std::string_view bytes) {
  if (!state_) return state_;
  written_ += bytes.size();
  if (bytes.size() < kLarge) {
    if (buffer_.size() + bytes.size() > kBuffer) {
      if (auto done = flush(); !done) return done;
    }
    buffer_ += bytes;
    return {};
  }
  if (auto done = flush(); !done) return done;
  return write_all(bytes);
}

Status FdSink::flush() {
  if (!state_ || buffer_.empty()) return state_;
  auto done = write_all(buffer_);
  buffer_.clear();
  return done;
}

Status FdSink::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
    if (put >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno == EAGAIN) {
      pollfd waiting{fd_, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno == EPIPE) {
      return state_ = fail({Errc::pipe, "pipe", "the reader is gone"});
    } else if (errno != EINTR) {
      return state_ = fail({Errc::io, "write", "cannot write: " + system_text(errno)});
    }
  }
  return {};
}

std::uint64_t FdSink::take(int from, std::uint64_t most) {
  if (!takes_ || !flush()) return 0;
  const auto size = static_cast<std::size_t>(std::min(most, std::uint64_t{1} << 20));
  const ssize_t moved = ::splice(from, nullptr, fd_, nullptr, size, SPLICE_F_MORE);
  if (moved < 0 && errno == EINVAL) takes_ = false;  // neither end is a pipe
  if (moved <= 0) return 0;
  written_ += static_cast<std::uint64_t>(moved);
  return static_cast<std::uint64_t>(moved);
}

#if defined(__SSE2__)
/// Counts in the whole blocks of 32 bytes and takes them off `bytes`.
[[gnu::target("avx2")]] std::size_t count_avx2(std::string_view& bytes, char byte) {
  std::size_t number = 0;
  const __m256i wanted = _mm256_set1_epi8(byte);
  while (bytes.size() >= 32) {
    // A byte of `sums` counts to 255 at most, so it is emptied in time.
    __m256i sums = _mm256_setzero_si256();
    for (int round = 0; round < 255 && bytes.size() >= 32; ++round) {
      const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes.data()));
      sums = _mm256_sub_epi8(sums, _mm256_cmpeq_epi8(block, wanted));
      bytes.remove_prefix(32);
    }
    alignas(32) std::array<std::uint64_t, 4> quarters;
    _mm256_store_si256(reinterpret_cast<__m256i*>(quarters.data()),
                       _mm256_sad_epu8(sums, _mm256_setzero_si256()));
    number += quarters[0] + quarters[1] + quarters[2] + quarters[3];
  }
  return number;
}
#endif

std::size_t count(std::string_view bytes, char byte) {
  std::size_t number = 0;
#if defined(__SSE2__)
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
  if (wide) number = count_avx2(bytes, byte);
#endif
  return number + static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), byte));
}

void Input::Block::grow(std::size_t wanted) {
  // realloc moves a large block by its pages: an entry of 1 GiB is never in memory twice.
  char* moved = static_cast<char*>(std::realloc(bytes.get(), wanted));
  if (moved == nullptr) throw std::bad_alloc();
  static_cast<void>(bytes.release());
  bytes.reset(moved);
  size = wanted;
}

void Input::make_room() {
  Block& here = block();
  const std::size_t kept = end_ - begin_;
  // Once grown a block is not filled anew: what is read next goes to its start, which costs no more
  // moving than was consumed.
  const bool far = end_ > kBlock && kept <= begin_ && pinned_ != current_;
  if (here.size - end_ >= kRead && !far) return;
  // A window that fills its block needs a larger one; look-ahead is bounded by the callers.
  const std::size_t needed = kept + 2 * kRead;
  const char* from = here.bytes.get() + begin_;
  if (pinned_ == current_) {
    current_ = 1 - current_;
    if (block().size < needed) block().grow(std::max(kBlock, 2 * needed));
    std::memcpy(block().bytes.get(), from, kept);
  } else {
    std::memmove(here.bytes.get(), from, kept);
    if (here.size < needed) here.grow(2 * needed);
  }
  begin_ = 0;
  end_ = kept;
}

std::uint64_t Input::move(std::uint64_t most, ByteSink& sink) {
  const int from = reader_->descriptor();
  if (from < 0 || lines_counted_ || begin_ != end_) return 0;
  const std::uint64_t moved = sink.take(from, most);
  offset_ += moved;
  if (moved != 0) most_read_ = kReadBehindMoved;
  return moved;
}

Status Input::fill() {
  if (at_end_) return {};
  if (block().size == 0) block().grow(kBlock);
  make_room();
  if (output_ != nullptr && reader_->would_block()) {
    if (auto done = output_->flush(); !done) return done;
  }
  const std::size_t room = std::min(block().size - end_, most_read_);
  most_read_ = std::min(2 * most_read_, kMostRead);
  auto got = reader_->read({block().bytes.get() + end_, room});
  if (!got) {
    got.error().byte = offset_ + (end_ - begin_);
    return fail(std::move(got.error()));
  }
  end_ += *got;
  at_end_ = *got == 0;
  return {};
}

Error folder_error() {
  return {Errc::io, "directory", "is a directory",
          "folders are not searched: find DIR -type f -name '*.http' -print0 | xargs -0 rehead ..."};
}

Result<std::unique_ptr<Reader>> open_reader(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail({Errc::io, "open", "cannot open: " + system_text(errno)});
  struct stat status {};
  if (::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(fd);
    return fail(folder_error());
  }
  return std::make_unique<FdReader>(fd);
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  auto reader = open_reader(path);
  if (!reader) return fail(std::move(reader.error()));
  std::string text;
  std::array<char, 16384> block;
  while (true) {
    auto got = (*reader)->read(block);
    if (!got) return fail(std::move(got.error()));
    if (*got == 0) return text;
    text.append(block.data(), *got);
    if (text.size() > limit) {
      return fail({Errc::limit, "file-size", "larger than " + std::to_string(limit) + " bytes"});
    }
  }
}

Result<std::string> read_argument_file(const std::string& argument, std::size_t limit) {
  const std::string path = argument.substr(1);
  auto text = read_file(path, limit);
  if (!text) text.error().what = path + ": " + text.error().what;
  return text;
}

Result<Piece> TextSource::pull() {
  if (rest_.empty()) return Piece{};
  const Piece piece{Piece::Kind::bytes, rest_};
  rest_ = {};
  return piece;
}

}  // namespace rehead
