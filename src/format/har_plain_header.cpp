#include "format/har_plain_header.h"

#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rehead::format {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The first quote, backslash or control byte at or after `at`; the size of `text` if there is
/// none.
std::size_t find_special(std::string_view text, std::size_t at) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i control = _mm_set1_epi8(0x1F);
  for (; text.size() - at >= 16; at += 16) {
    const __m128i lane = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i hits =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(lane, quote), _mm_cmpeq_epi8(lane, backslash)),
                     _mm_cmpeq_epi8(_mm_min_epu8(lane, control), lane));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
    if (mask != 0) return at + static_cast<std::size_t>(std::countr_zero(mask));
  }
#endif
  while (at < text.size() && text[at] != '"' && text[at] != '\\' &&
         static_cast<unsigned char>(text[at]) >= 0x20) {
    ++at;
  }
  return at;
}

/// One past the string whose opening quote stands at `at`; 0 if there is none, or it holds a
/// control byte. `escaped` becomes true if it holds escapes.
std::size_t string_end(std::string_view text, std::size_t at, bool& escaped) {
  if (at >= text.size() || text[at] != '"') return 0;
  ++at;
  while ((at = find_special(text, at)) < text.size()) {
    if (text[at] == '"') return at + 1;
    if (text[at] != '\\' || at + 2 > text.size()) return 0;
    escaped = true;
    at += 2;
  }
  return 0;
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

bool read_plain_header(std::string_view text, std::size_t at, PlainHeader& header) {
  constexpr std::string_view kName = "\"name\"";
  constexpr std::string_view kValue = "\"value\"";
  if (text[at] != '{') return false;
  header.escaped = false;
  const std::size_t begin = at;
  at = past_json_blanks(text, at + 1);
  const bool value_first = text.substr(at).starts_with(kValue);
  bool escaped_name = false;
  for (const bool second : {false, true}) {
    const bool is_value = value_first != second;
    at = past_key(text, at, is_value ? kValue : kName);
    if (at == 0) return false;
    HarSpan& span = is_value ? header.spans.value : header.spans.name;
    const std::size_t end = string_end(text, at, is_value ? header.escaped : escaped_name);
    if (end == 0) return false;
    span = {at, end};
    at = past_json_blanks(text, end);
    if (at >= text.size() || text[at] != (second ? '}' : ',')) return false;
    if (!second) at = past_json_blanks(text, at + 1);
  }
  header.spans.element = {begin, at + 1};
  return !escaped_name;
}

}  // namespace rehead::format
