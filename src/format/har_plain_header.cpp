#include "format/har_plain_header.h"

#include <bit>
#include <cstring>

#include "base/ascii.h"
#include "codec/json_block.h"

namespace rehead::format {
namespace {

namespace json = codec::json;

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

#if defined(__SSE2__)
/// Bytes that are letters, digits or '-': nearly all bytes of nearly all names.
unsigned name_bytes16(__m128i lane) {
  const auto below = [](__m128i bytes, char limit) {
    return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(limit)), bytes);
  };
  const __m128i letters = _mm_sub_epi8(_mm_or_si128(lane, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
  const __m128i digits = _mm_sub_epi8(lane, _mm_set1_epi8('0'));
  return json::mask16(_mm_or_si128(_mm_or_si128(below(letters, 25), below(digits, 9)),
                                   _mm_cmpeq_epi8(lane, _mm_set1_epi8('-'))));
}
#endif

/// Where the name that begins at `at` ends, and whether it is a token.
std::size_t name_end(std::string_view text, std::size_t at, bool& token) {
  const std::size_t begin = at;
  bool usual = true;
#if defined(__SSE2__)
  for (; text.size() - at >= 16; at += 16) {
    const __m128i lane = json::sixteen(text.data() + at);
    const unsigned hits = json::mask16(json::specials16(lane));
    const unsigned before = (hits & (0U - hits)) - 1;  // all if there is none
    usual = usual && (~name_bytes16(lane) & before & 0xFFFFU) == 0;
    if (hits == 0) continue;
    at += static_cast<std::size_t>(std::countr_zero(hits));
    token = (usual && at != begin) || ascii::is_token(text.substr(begin, at - begin));
    return at;
  }
#endif
  at = json::find_special(text, at);
  token = ascii::is_token(text.substr(begin, at - begin));
  return at;
}

/// `"name"` or `"value"` and the colon behind it: where the member's value begins; 0 for other
/// text.
std::size_t past_key(std::string_view text, std::size_t at, std::string_view key) {
  if (!text.substr(at).starts_with(key)) return 0;
  at = past_json_blanks(text, at + key.size());
  if (at >= text.size() || text[at] != ':') return 0;
  return past_json_blanks(text, at + 1);
}

}  // namespace

std::size_t past_json_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

/// One past the string whose first byte stands at `at`; 0 if it has no end, holds a control byte or,
/// as a name, an escape.
inline std::size_t PlainHeaders::string_end(std::size_t at, PlainHeader& header, bool value) const {
  if (!value) {
    at = name_end(text_, at, header.token);
    return at < text_.size() && text_[at] == '"' ? at + 1 : 0;
  }
  while ((at = json::find_special(text_, at)) < text_.size()) {
    if (text_[at] == '"') return at + 1;
    if (text_[at] != '\\' || at + 2 > text_.size()) return 0;
    header.escaped = true;
    at += 2;
  }
  return 0;
}

/// True if the `size` bytes at `place` stand at `at`, behind it, once more.
inline bool PlainHeaders::stands_again(std::size_t place, std::size_t size, std::size_t at) const {
  const std::size_t left = text_.size() - at;
  const char* const bytes = text_.data();
  if (left >= 16 && left >= size) return json::same_bytes(bytes + place, bytes + at, size);
  return left >= size && std::memcmp(bytes + place, bytes + at, size) == 0;
}

/// The header whose first string has its first byte at `first`, if all that stands between and
/// behind its strings is that of the one read last.
inline bool PlainHeaders::read_like_last(std::size_t first, PlainHeader& header) {
  header.escaped = false;
  const std::size_t first_end = string_end(first, header, value_first_);
  if (first_end == 0) return false;
  const std::size_t between = second_.begin + 1 - first_.end;
  if (!stands_again(first_.end, between, first_end)) return false;
  const std::size_t second = first_end + between;
  const std::size_t second_end = string_end(second, header, !value_first_);
  if (second_end == 0 || !stands_again(second_.end, closing_, second_end)) return false;
  first_ = {first - 1, first_end};
  second_ = {second - 1, second_end};
  header.spans.name = value_first_ ? second_ : first_;
  header.spans.value = value_first_ ? first_ : second_;
  header.spans.element = {first - opening_, second_end + closing_};
  return true;
}

inline bool PlainHeaders::next(PlainHeader& header) {
  if (link_ == 0 || !stands_again(link_at_, link_, second_.end)) return false;
  const std::size_t last_end = second_.end;
  if (!read_like_last(last_end + link_, header)) return false;
  link_at_ = last_end;
  return true;
}

[[gnu::flatten]] std::size_t PlainHeaders::next(std::span<PlainHeader> headers) {
  std::size_t number = 0;
  while (number < headers.size() && next(headers[number])) ++number;
  return number;
}

bool PlainHeaders::read(std::size_t at, PlainHeader& header) {
  const std::size_t last_end = second_.end;
  const bool follows = known_;
  if (!known_ || !stands_again(first_.begin + 1 - opening_, opening_, at) ||
      !read_like_last(at + opening_, header)) {
    known_ = read_any(at, header);
    link_ = 0;
    return known_;
  }
  link_ = follows ? first_.begin + 1 - last_end : 0;
  link_at_ = last_end;
  return true;
}

bool PlainHeaders::read_any(std::size_t at, PlainHeader& header) {
  constexpr std::string_view kName = "\"name\"";
  constexpr std::string_view kValue = "\"value\"";
  const bool pair = text_[at] == '[';
  if (!pair && text_[at] != '{') return false;
  header.escaped = false;
  const std::size_t begin = at;
  at = past_json_blanks(text_, at + 1);
  value_first_ = text_.substr(at).starts_with(kValue) && !pair;
  for (const bool second : {false, true}) {
    const bool is_value = value_first_ != second;
    if (!pair) at = past_key(text_, at, is_value ? kValue : kName);
    if (at == 0 || at >= text_.size() || text_[at] != '"') return false;
    const std::size_t end = string_end(at + 1, header, is_value);
    if (end == 0) return false;
    (second ? second_ : first_) = {at, end};
    at = past_json_blanks(text_, end);
    const char wanted = !second ? ',' : pair ? ']' : '}';
    if (at >= text_.size() || text_[at] != wanted) return false;
    if (!second) at = past_json_blanks(text_, at + 1);
  }
  opening_ = first_.begin + 1 - begin;
  closing_ = at + 1 - second_.end;
  header.spans.name = value_first_ ? second_ : first_;
  header.spans.value = value_first_ ? first_ : second_;
  header.spans.element = {begin, at + 1};
  return true;
}

}  // namespace rehead::format
