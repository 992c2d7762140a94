// An ordinary head, read in one pass of 64 bytes at a time: every line ends in CRLF, no control byte
// but HTAB, every field line is a token and a colon, at most kLargest bytes. That is nearly every
// head there is; any other is left to the line reader (head_parser.h), which knows all oddities and
// is the oracle of this file in tests/http/plain_head_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "http/header_map.h"

namespace rehead::http {

/// One bit for each of 64 bytes, the first byte in bit 0.
struct HeadBlock {
  static constexpr std::size_t kSize = 64;
  std::uint64_t lf = 0;
  std::uint64_t cr = 0;
  std::uint64_t control = 0;  // 00-1F but HTAB; LF and CR included
  std::uint64_t name = 0;     // letters, digits and '-': nearly all bytes of nearly all names
};
/// Fills blocks.size() blocks from 64 bytes each.
using HeadClassify = void (*)(const char* bytes, std::span<HeadBlock> blocks);
void head_classify_scalar(const char* bytes, std::span<HeadBlock> blocks);
/// Those that this machine can run, the fastest last.
std::span<const HeadClassify> head_classifiers();

class PlainHead {
 public:
  static constexpr std::size_t kLargest = std::size_t{16} << 10;  // bytes of a head

  explicit PlainHead(HeadClassify classify = head_classifiers().back()) : classify_(classify) {}

  struct Sizes {
    std::size_t start_line = 0;  // bytes, with its line end
    std::size_t head = 0;        // bytes, with the empty line
    std::size_t lines = 0;       // the start line and the empty line included
  };
  /// `window` begins with the first byte of a head. Loads its fields into `headers`, which is empty;
  /// its views point into `window`. Nothing, and none loaded, if the head is not ordinary, is not
  /// whole in `window`, or has more than `max_fields` fields.
  std::optional<Sizes> read(std::string_view window, std::size_t max_fields, HeaderMap& headers);

 private:
  static constexpr std::size_t kBatch = 8;  // blocks classified at a time
  std::size_t classify_more(std::string_view window, std::size_t from);
  std::size_t name_end(const char* bytes, std::size_t at) const;
  std::size_t find_lines(std::string_view window);

  HeadClassify classify_;
  std::array<HeadBlock, kLargest / HeadBlock::kSize> blocks_;
  std::array<std::uint16_t, kLargest / 4> line_ends_;  // offsets behind each LF
};

}  // namespace rehead::http
