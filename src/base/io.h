// Bytes in and out. Reader: raw blocks from a descriptor or memory. Input: a look-ahead window over
// a Reader. ByteSource: a body that is pulled piece by piece. ByteSink: where output goes; the
// first write error sticks and is reported again by every later call, flush() included.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rehead {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(std::string_view bytes) = 0;
  /// Everything written so far reaches its destination before this returns.
  virtual Status flush() = 0;
  /// Takes up to `most` bytes that the descriptor `from` gives next, behind everything written so
  /// far, without a copy of them in memory. How many; 0 where that cannot be, or fails: read and
  /// write them.
  virtual std::uint64_t take([[maybe_unused]] int from, [[maybe_unused]] std::uint64_t most) {
    return 0;
  }
};

/// Blocks of bytes; 0 bytes = the end.
class Reader {
 public:
  virtual ~Reader() = default;
  virtual Result<std::size_t> read(std::span<char> into) = 0;
  /// True if read() would wait (a live pipe with nothing in it).
  virtual bool would_block() { return false; }
  /// The descriptor that gives all bytes from here on, just as they are; -1: there is none.
  virtual int descriptor() const { return -1; }
};

/// Reads a file descriptor, which it closes unless it is 0. Interrupted reads are repeated.
class FdReader final : public Reader {
 public:
  explicit FdReader(int fd);
  ~FdReader() override;
  FdReader(const FdReader&) = delete;
  FdReader& operator=(const FdReader&) = delete;
  Result<std::size_t> read(std::span<char> into) override;
  bool would_block() override;
  int descriptor() const override { return fd_; }

 private:
  int fd_;
};

/// Reads memory that outlives it, at most `step` bytes a time.
class MemoryReader final : public Reader {
 public:
  explicit MemoryReader(std::string_view bytes REHEAD_LIFETIMEBOUND, std::size_t step = SIZE_MAX)
      : bytes_(bytes), step_(step) {}
  Result<std::size_t> read(std::span<char> into) override;

 private:
  std::string_view bytes_;
  std::size_t step_;
};

/// Buffers small writes, passes large ones through. Does not close the descriptor.
class FdSink final : public ByteSink {
 public:
  explicit FdSink(int fd);
  Status write(std::string_view bytes) override;
  Status flush() override;
  std::uint64_t take(int from, std::uint64_t most) override;
  std::uint64_t written() const { return written_; }  // bytes accepted so far

 private:
  Status write_all(std::string_view bytes);
  static constexpr std::size_t kBuffer = std::size_t{256} << 10;
  static constexpr std::size_t kLarge = std::size_t{64} << 10;
  int fd_;
  std::uint64_t written_ = 0;
  bool takes_ = true;  // what take() was asked for so far was possible
  std::string buffer_;
  Status state_;
};

class MemorySink final : public ByteSink {
 public:
  Status write(std::string_view bytes) override {
    text_ += bytes;
    return {};
  }
  Status flush() override { return {}; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// One piece of a body. `bytes` are good until the next pull.
struct Piece {
  enum class Kind : std::uint8_t {
    bytes,  // at least one byte
    idle,   // nothing more for now: pass on what you hold, the next pull will wait
    end,    // the body is complete; every later pull says so again
  };
  Kind kind = Kind::end;
  std::string_view bytes = {};
};

/// A body, pulled piece by piece. An Error is final; what was pulled before it stands.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual Result<Piece> pull() = 0;
  /// Gives `sink` what comes next, if that can go without a pull; the rest has to be pulled.
  virtual void move_to(ByteSink&) {}
};

/// A text as a body. It outlives the pulls.
class TextSource final : public ByteSource {
 public:
  void start(std::string_view text) { rest_ = text; }
  Result<Piece> pull() override;

 private:
  std::string_view rest_;
};

/// How often `byte` stands in `bytes`.
std::size_t count(std::string_view bytes, char byte);

/// A look-ahead window over a Reader. Bytes before window() are consumed, bytes in it were read.
/// There are two blocks: as long as one is pinned, filling the window never moves what lies there.
class Input {
 public:
  /// `output` is flushed before a read that would wait; it may be null.
  explicit Input(std::unique_ptr<Reader> reader, ByteSink* output = nullptr)
      : reader_(std::move(reader)), output_(output) {}

  /// What was read and not consumed; good until the next fill().
  std::string_view window() const REHEAD_LIFETIMEBOUND {
    return {block().bytes.get() + begin_, end_ - begin_};
  }
  void consume(std::size_t size) {
    consume(size, lines_counted_ ? count(window().substr(0, size), '\n') : 0);
  }
  /// The same where the caller knows that `lines` line ends are in it.
  void consume(std::size_t size, std::size_t lines) {
    line_ += lines;
    skip(size);
  }
  /// Gives up to `most` bytes from behind the window, which is empty, straight to `sink`. How many;
  /// 0: fill() has to read them. Not where lines are counted.
  std::uint64_t move(std::uint64_t most, ByteSink& sink);
  /// consume() for inputs whose places are offsets alone: lines are not counted.
  void skip(std::size_t size) {
    begin_ += size;
    offset_ += size;
  }
  /// Reads more behind the window; at least one byte, or the end. Waits if it must.
  Status fill();
  bool at_end() const { return at_end_; }
  bool would_block() { return !at_end_ && reader_->would_block(); }
  /// Offset of the window's first byte from the start of the input.
  std::uint64_t offset() const { return offset_; }
  /// Line of the window's first byte, from 1, while they are counted.
  std::optional<std::uint64_t> line() const {
    return lines_counted_ ? std::optional(line_) : std::nullopt;
  }
  /// From here on places are offsets alone.
  void stop_counting_lines() { lines_counted_ = false; }
  /// Keeps the bytes of the current block in place until unpin().
  void pin() { pinned_ = current_; }
  void unpin() { pinned_ = kNone; }

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  struct Block {
    std::unique_ptr<char, Free> bytes;
    std::size_t size = 0;
    void grow(std::size_t wanted);
  };
  static constexpr std::size_t kBlock = std::size_t{256} << 10;
  static constexpr std::size_t kRead = std::size_t{64} << 10;      // room there is at least
  static constexpr std::size_t kMostRead = std::size_t{1} << 20;  // at a time
  // Behind a body that was moved little is read, so that the next can be moved, too.
  static constexpr std::size_t kReadBehindMoved = std::size_t{16} << 10;
  static constexpr std::size_t kNone = 2;
  Block& block() { return blocks_[current_]; }
  const Block& block() const { return blocks_[current_]; }
  void make_room();

  std::unique_ptr<Reader> reader_;
  ByteSink* output_;
  std::array<Block, 2> blocks_;
  std::size_t current_ = 0;
  std::size_t pinned_ = kNone;
  std::size_t begin_ = 0, end_ = 0;  // the window within the current block
  std::uint64_t offset_ = 0;
  std::uint64_t line_ = 1;
  std::size_t most_read_ = kMostRead;
  bool lines_counted_ = true;
  bool at_end_ = false;
};

/// The whole of a small file named by the user; at most `limit` bytes.
Result<std::string> read_file(const std::string& path, std::size_t limit);

/// The file behind an argument `@FILE`; its errors name it.
Result<std::string> read_argument_file(const std::string& argument, std::size_t limit);

/// Of a folder where a file is needed.
Error folder_error();
/// Opens a file for reading.
Result<std::unique_ptr<Reader>> open_reader(const std::string& path);

}  // namespace rehead
