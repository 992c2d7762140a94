// The short way through headers[]: nearly every header is spelt {"name": "...", "value": "..."}, in
// either order, or ["...", "..."] (NDJSON, some HARs), and nothing else stands in it. One that is
// laid out like the one before it is found with three compares and the ends of two strings; all
// others are left to the JSON cursor, which is the oracle of this file in
// tests/format/har_plain_header_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "codec/json.h"
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

/// Calls plain(std::span<const PlainHeader>) -> Status for the headers of the array, by the dozen,
/// and other(const Value&) -> Status for those spelt in another way. False: the array is not spelt
/// as arrays are, and the cursor has to tell what it is; what was called for so far does not count.
template <typename Plain, typename Other>
Result<bool> for_each_header(codec::json::Cursor& cursor, const codec::json::Value& array,
                             std::span<PlainHeader> scratch, Plain plain, Other other) {
  const std::string_view text = cursor.text();
  PlainHeaders headers(text);
  std::size_t at = past_json_blanks(text, array.offset + 1);
  if (at < text.size() && text[at] == ']') return true;
  while (true) {
    if (at >= text.size() || (text[at] != '{' && text[at] != '[')) return false;
    const auto kind = text[at] == '{' ? codec::json::Kind::object : codec::json::Kind::array;
    Status done;
    if (headers.read(at, scratch[0])) {
      std::size_t number = 1;
      do {
        at = scratch[number - 1].spans.element.end;
        done = plain(std::span<const PlainHeader>(scratch.first(number)));
        number = headers.next(scratch);
      } while (done && number != 0);
    } else {
      const codec::json::Value element{at, array.depth + 1, kind};
      done = other(element);
      auto raw = done ? cursor.raw(element) : Result<std::string_view>();
      if (!raw) return fail(std::move(raw.error()));
      at += raw->size();
    }
    if (!done) return fail(std::move(done.error()));
    at = past_json_blanks(text, at);
    if (at >= text.size()) return false;
    if (text[at] == ']') return true;
    if (text[at] != ',') return false;
    at = past_json_blanks(text, at + 1);
  }
}

}  // namespace rehead::format
