// JSON by the block (RFC 8259): 64 bytes at a time become bitmaps of quotes, backslashes and
// brackets; a few word operations then tell which brackets stand outside strings. Quote parity (a
// carry-less product where the processor has one), a pending escape and the open brackets are carried
// from block to block, so that a value may arrive in any pieces.
//
//   text       {"a\"}": [1]}
//   quotes     .#....#......     (the escaped one does not count)
//   in string  .#####.......
//   open       #........#...
//   close      ...........##     (the brace inside the string is masked out)
//
// Brackets are matched by kind, strings by their quotes; nothing else is judged here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace rehead::codec {

/// The brackets of a block that stand outside strings. Bit i stands for byte i.
struct JsonBlock {
  static constexpr std::size_t kSize = 64;
  std::uint64_t open = 0;   // { [
  std::uint64_t close = 0;  // } ]
};

/// What a block has to know of those before it.
struct JsonCarry {
  std::uint64_t in_string = 0;  // all ones inside a string
  std::uint64_t cut = 0;        // 1: the next byte is escaped
};

/// Finds the brackets of whole blocks that stand one after another at `bytes`.
using JsonClassify = void (*)(const char* bytes, std::span<JsonBlock> blocks, JsonCarry& carry);
void json_classify_scalar(const char* bytes, std::span<JsonBlock> blocks, JsonCarry& carry);
/// All that this processor can run, the fastest last.
std::span<const JsonClassify> json_classifiers();

/// Finds the end of one object or array. On request it remembers where the containers one and two
/// levels below its surface lie, so that whoever opens it can step over them.
class JsonScan {
 public:
  enum class State : std::uint8_t {
    inside,    // the container goes on behind the bytes given
    complete,  // position() is one past its closing bracket
    mismatch,  // position() is a bracket that closes one of the other kind
    too_deep,  // position() is a bracket beyond the depth allowed
  };
  /// Offsets of two brackets from the start of the scan.
  struct Container {
    std::size_t open = 0;
    std::size_t close = 0;
  };
  /// At most so many are remembered; the ends of others have to be found by scanning again.
  static constexpr std::size_t kRemembered = 512;

  JsonScan() : JsonScan(json_classifiers().back()) {}
  explicit JsonScan(JsonClassify classify) : classify_(classify) {}

  /// A new container follows; it may nest `max_depth` levels (one or more), itself included.
  void start(std::size_t max_depth, bool remember = false);
  /// `bytes` is the container from its opening bracket on, as far as it was read; over all calls
  /// every byte is looked at once.
  State advance(std::string_view bytes);
  std::size_t position() const { return carry_.position; }
  /// The bytes looked at are gone: the next call is given what follows them. Only for a scan that
  /// remembers nothing.
  void forget() { carry_.position = 0; }
  /// In the order of their opening brackets; all of them are closed once the scan is complete.
  std::span<const Container> containers() const { return containers_; }

 private:
  static constexpr std::size_t kBatch = 8;    // blocks classified at a time
  static constexpr std::size_t kSurface = 3;  // depth below which nothing is remembered
  struct Carry {
    JsonCarry strings;
    std::size_t depth = 0;     // open containers
    std::size_t position = 0;  // bytes looked at
  };
  State run(std::string_view bytes, Carry& carry);
  State block(const JsonBlock& bits, const char* bytes, std::size_t size, Carry& carry);
  State near_surface(std::size_t at, bool opens, std::uint8_t kind, std::size_t& depth);

  JsonClassify classify_;
  bool remember_ = false;
  std::size_t max_depth_ = 0;
  Carry carry_;
  std::vector<std::uint8_t> kinds_;  // of each open container: 1 for an object
  std::vector<Container> containers_;
  std::array<std::size_t, kSurface>
      open_at_{};  // index in containers_ of the one open at that depth
};

}  // namespace rehead::codec
