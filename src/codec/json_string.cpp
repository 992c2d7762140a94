// Strings of JSON: where they end, and what they stand for (RFC 8259 7). Lone surrogates become the
// three bytes their code point would have.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/ascii.h"
#include "codec/json.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rehead::codec::json {
namespace {

tl::unexpected<Error> broken(std::string what, std::size_t at) {
  return fail({.code = Errc::syntax, .id = "json", .what = std::move(what), .byte = at});
}

tl::unexpected<Error> bad_escape(std::size_t at) {
  return broken("an escape that JSON does not know", at);
}

/// The first quote or backslash at or after `at`, or the end of the text.
std::size_t find_quote_or_backslash(std::string_view text, std::size_t at) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  while (text.size() - at >= 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const int hits = _mm_movemask_epi8(
        _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, backslash)));
    if (hits != 0) {
      return at + static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(hits)));
    }
    at += 16;
  }
#endif
  while (at < text.size() && text[at] != '"' && text[at] != '\\') ++at;
  return at;
}

/// Four hex digits at the start of `text`, or -1.
int code_unit(std::string_view text) {
  if (text.size() < 4) return -1;
  unsigned unit = 0;
  for (const char c : text.substr(0, 4)) {
    if (!ascii::is(c, ascii::kHex)) return -1;
    unit = unit * 16 + ascii::hex_value(c);
  }
  return static_cast<int>(unit);
}

std::size_t put_utf8(char* out, unsigned code) {
  const auto put = [&](std::size_t i, unsigned bits) { out[i] = static_cast<char>(bits); };
  if (code < 0x80) {
    put(0, code);
    return 1;
  }
  if (code < 0x800) {
    put(0, 0xC0 | code >> 6);
    put(1, 0x80 | (code & 0x3F));
    return 2;
  }
  if (code < 0x10000) {
    put(0, 0xE0 | code >> 12);
    put(1, 0x80 | (code >> 6 & 0x3F));
    put(2, 0x80 | (code & 0x3F));
    return 3;
  }
  put(0, 0xF0 | code >> 18);
  put(1, 0x80 | (code >> 12 & 0x3F));
  put(2, 0x80 | (code >> 6 & 0x3F));
  put(3, 0x80 | (code & 0x3F));
  return 4;
}

/// Undoes the escape at the start of `rest` (a backslash): at most 4 bytes into `out`. How many; 0
/// if it is none that JSON knows. Takes it, and the second half of a surrogate pair, off `rest`.
std::size_t unescape(std::string_view& rest, char* out) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  if (rest.size() < 2) return 0;
  if (rest[1] != 'u') {
    const std::size_t letter = kLetters.find(rest[1]);
    if (letter == std::string_view::npos) return 0;
    *out = kMeant[letter];
    rest.remove_prefix(2);
    return 1;
  }
  const int first = code_unit(rest.substr(2));
  if (first < 0) return 0;
  rest.remove_prefix(6);
  auto code = static_cast<unsigned>(first);
  if (code >= 0xD800 && code < 0xDC00 && rest.starts_with("\\u")) {
    const int second = code_unit(rest.substr(2));
    if (second >= 0xDC00 && second < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (static_cast<unsigned>(second) - 0xDC00);
      rest.remove_prefix(6);
    }
  }
  return put_utf8(out, code);
}

/// Takes the bytes before the next backslash off `rest`, `limit` at most.
std::string_view take_plain(std::string_view& rest, std::size_t limit = std::string_view::npos) {
  const std::string_view near = rest.substr(0, limit);
  const std::string_view plain = near.substr(0, near.find('\\'));
  rest.remove_prefix(plain.size());
  return plain;
}

}  // namespace

Result<std::size_t> Cursor::string_end(std::size_t at) {
  plain_ = at;
  for (++at; (at = find_quote_or_backslash(text_, at)) < text_.size(); at += 2) {
    if (text_[at] == '"') return at + 1;
    plain_ = SIZE_MAX;
    if (at + 1 == text_.size()) break;
  }
  return broken("the JSON text ends inside a string", text_.size());
}

Result<std::string_view> Cursor::decode(std::string_view quoted, std::size_t offset) {
  std::string_view rest = quoted.substr(1, quoted.size() - 2);
  if (offset == plain_ || rest.find('\\') == std::string_view::npos) return rest;
  // An escape is never shorter than what it stands for.
  const std::span<char> room = arena_->allocate(rest.size());
  std::size_t size = 0;
  while (!rest.empty()) {
    const std::string_view plain = take_plain(rest);
    std::copy(plain.begin(), plain.end(), room.begin() + static_cast<std::ptrdiff_t>(size));
    size += plain.size();
    if (rest.empty()) break;
    const std::size_t put = unescape(rest, room.data() + size);
    if (put == 0) return bad_escape(offset + quoted.size() - 1 - rest.size());
    size += put;
  }
  return std::string_view(room.data(), size);
}

Result<std::uint64_t> Cursor::string_size(const Value& value) {
  auto text = quoted(value);
  if (!text) return fail(std::move(text.error()));
  std::string_view rest = text->substr(1, text->size() - 2);
  std::uint64_t size = 0;
  std::array<char, 4> unused;
  while (!rest.empty()) {
    size += take_plain(rest).size();
    if (rest.empty()) break;
    const std::size_t put = unescape(rest, unused.data());
    if (put == 0) return bad_escape(value.offset + text->size() - 1 - rest.size());
    size += put;
  }
  return size;
}

Result<Piece> StringSource::pull() {
  constexpr std::size_t kWorthAView = 256;  // a shorter plain run is copied beside its neighbours
  constexpr std::size_t kLongest = std::size_t{64} << 10;  // what is pulled may be copied as it is
  if (rest_.empty()) return Piece{};
  std::size_t size = 0;
  while (!rest_.empty()) {
    if (rest_.front() != '\\') {
      std::string_view after = rest_;
      const std::string_view plain = take_plain(after, kLongest);
      if (size == 0 && (plain.size() >= kWorthAView || after.empty())) {
        rest_ = after;
        return Piece{Piece::Kind::bytes, plain};
      }
      if (plain.size() >= kWorthAView || plain.size() > buffer_.size() - size) break;
      std::memcpy(buffer_.data() + size, plain.data(), plain.size());
      size += plain.size();
      rest_ = after;
    } else {
      if (buffer_.size() - size < 4) break;
      const std::size_t put = unescape(rest_, buffer_.data() + size);
      if (put == 0) return bad_escape(0);
      size += put;
    }
  }
  return Piece{Piece::Kind::bytes, {buffer_.data(), size}};
}

}  // namespace rehead::codec::json
