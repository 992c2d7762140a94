// The short way through headers[]: nearly every header is spelt {"name": "...", "value": "..."}, in
// either order, and nothing else stands in it. One that is laid out like the one before it is found
// with three compares and the ends of two strings; all others are left to the JSON cursor, which is
// the oracle of this file in tests/format/har_plain_header_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "format/har_entry.h"

namespace rehead::format {

struct PlainHeader {
  HarHeader spans;
  bool token = false;    // the name is a token (RFC 9110 5.6.2)
  bool escaped = false;  // the value holds escapes; the name never does
};

class PlainHeaders {
 public:
  /// `text` outlives the reader.
  explicit PlainHeaders(std::string_view text) : text_(text) {}

  /// Reads the header that begins at `at`. False: it is spelt in another way, or broken, or its
  /// value holds a control byte.
  bool read(std::size_t at, PlainHeader& header);
  /// Reads on behind the header read last as long as headers are laid out alike and there is room.
  /// How many.
  std::size_t next(std::span<PlainHeader> headers);

 private:
  std::size_t string_end(std::size_t at, PlainHeader& header, bool value) const;
  bool next(PlainHeader& header);
  bool stands_again(std::size_t place, std::size_t size, std::size_t at) const;
  bool read_like_last(std::size_t first, PlainHeader& header);
  bool read_any(std::size_t at, PlainHeader& header);

  std::string_view text_;
  // Of the header read last, which all that is to look like it is compared with: where its strings
  // stand, the one that comes first and the other, and whether the first is the value.
  bool known_ = false;
  bool value_first_ = false;
  HarSpan first_, second_;
  std::size_t opening_ = 0;  // bytes from its { through the quote of the first string
  std::size_t closing_ = 0;  // bytes behind the second string
  std::size_t link_ = 0;     // bytes between the second string of the one before it and its first
  std::size_t link_at_ = 0;
};

/// Where the next byte that is not white space stands; the size of `text` if there is none.
std::size_t past_json_blanks(std::string_view text, std::size_t at);

}  // namespace rehead::format
