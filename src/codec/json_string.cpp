// Strings of JSON: where they end, and what they stand for (RFC 8259 7). Lone surrogates become the
// three bytes their code point would have.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/ascii.h"
#include "codec/json.h"
#include "codec/json_block.h"

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
  for (; text.size() - at >= 16; at += 16) {
    const __m128i lane = sixteen(text.data() + at);
    const unsigned hits = mask16(_mm_or_si128(quotes16(lane), backslashes16(lane)));
    if (hits != 0) return at + static_cast<std::size_t>(std::countr_zero(hits));
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

/// What the letter behind a backslash stands for; 0 for `u` and for those JSON does not know.
constexpr std::array<char, 256> kMeant = [] {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kBytes = "\"\\/\b\f\n\r\t";
  std::array<char, 256> meant{};
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    meant[static_cast<unsigned char>(kLetters[i])] = kBytes[i];
  }
  return meant;
}();
constexpr char meant_by(char letter) { return kMeant[static_cast<unsigned char>(letter)]; }

constexpr std::size_t kLongestEscape = 12;  // a pair of surrogates
constexpr std::size_t kWorthAView = 1024;   // shorter plain runs are copied with their neighbours

/// Undoes the escape at the start of `rest` (a backslash): at most 4 bytes into `out`. How many; 0
/// if it is none that JSON knows. Takes it, and the second half of a surrogate pair, off `rest`.
std::size_t unescape(std::string_view& rest, char* out) {
  if (rest.size() < 2) return 0;
  if (rest[1] != 'u') {
    *out = meant_by(rest[1]);
    if (*out == 0) return 0;
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

/// Bits from number `from` on.
constexpr std::uint64_t bits_from(std::size_t from) {
  return from < kBlock ? ~std::uint64_t{0} << from : 0;
}

/// Undoes the escapes of what is inside a string, or, without `kWrites`, counts what that would give.
template <bool kWrites>
struct Undo {
  // Behind a block stand the escape it ends in, and what is copied along in steps of 16 bytes.
  static constexpr std::size_t kRoom = kBlock + kLongestEscape + 16;

  std::string_view rest;  // still to be done
  char* out = nullptr;
  std::size_t size = 0;  // bytes given

  /// Goes on while fewer than `full` bytes were given; there is room for kRoom more. False: `rest`
  /// begins with an escape that JSON does not know.
  bool run(std::size_t full);

 private:
  bool block(const StringBits& bits);
  bool slowly(std::string_view& from);
  void copy(const char* from, std::size_t number);
};

/// Copies bytes, a block at most, and perhaps some behind them.
template <bool kWrites>
inline void Undo<kWrites>::copy(const char* from, std::size_t number) {
  if constexpr (kWrites) {
    char* const to = out + size;
    for (std::size_t at = 0; at < number; at += 16) std::memcpy(to + at, from + at, 16);
  }
  size += number;
}

/// The escape that `from` begins with.
template <bool kWrites>
bool Undo<kWrites>::slowly(std::string_view& from) {
  std::array<char, 4> unused;
  const std::size_t put = unescape(from, kWrites ? out + size : unused.data());
  size += put;
  return put != 0;
}

/// The next block, in which backslashes stand, and the whole of its last escape.
template <bool kWrites>
inline bool Undo<kWrites>::block(const StringBits& bits) {
  std::uint64_t cut = 0;
  auto [begins, escaped] = escape_pairs(bits.backslash, cut);
  if (!kWrites && cut == 0 && (escaped & ~(bits.quote | bits.backslash)) == 0) {
    size += kBlock - static_cast<std::size_t>(std::popcount(begins));
    rest.remove_prefix(kBlock);
    return true;
  }
  const char* const bytes = rest.data();
  std::size_t at = 0;
  while (begins != 0) {
    const auto next = static_cast<std::size_t>(std::countr_zero(begins));
    copy(bytes + at, next - at);
    at = next + 2;
    begins &= begins - 1;
    if (const char meant = meant_by(bytes[next + 1]); meant != 0) {
      if constexpr (kWrites) out[size] = meant;
      ++size;
      continue;
    }
    std::string_view from = rest.substr(next);
    if (!slowly(from)) {
      rest.remove_prefix(next);
      return false;
    }
    at = rest.size() - from.size();
    begins &= bits_from(at);
  }
  if (at < kBlock) copy(bytes + at, kBlock - at);
  rest.remove_prefix(std::max(at, kBlock));
  return true;
}

template <bool kWrites>
bool Undo<kWrites>::run(std::size_t full) {
  while (rest.size() >= kRoom && size < full) {
    const StringBits bits = string_bits(rest.data());
    if (bits.backslash == 0) {
      copy(rest.data(), kBlock);
      rest.remove_prefix(kBlock);
    } else if (!block(bits)) {
      return false;
    }
  }
  while (!rest.empty() && size < full) {
    const std::string_view plain = rest.substr(0, rest.find('\\'));
    if (kWrites && !plain.empty()) std::memcpy(out + size, plain.data(), plain.size());
    size += plain.size();
    rest.remove_prefix(plain.size());
    if (!rest.empty() && !slowly(rest)) return false;
  }
  return true;
}

}  // namespace

/// One past the string that begins at `at`; 0 if it has no end.
std::size_t Cursor::find_string_end(std::size_t at) {
  const std::size_t begin = at;
  at = find_quote_or_backslash(text_, at + 1);
  if (at < text_.size() && text_[at] == '"') {
    plain_ = begin;
    return at + 1;
  }
  std::uint64_t escape = 0;
  for (; text_.size() - at >= kBlock; at += kBlock) {
    StringBits bits = string_bits(text_.data() + at);
    if ((bits.backslash | escape) != 0) bits.quote &= ~escape_pairs(bits.backslash, escape).escaped;
    if (bits.quote != 0) return at + static_cast<std::size_t>(std::countr_zero(bits.quote)) + 1;
  }
  for (at += escape; (at = find_quote_or_backslash(text_, at)) < text_.size(); at += 2) {
    if (text_[at] == '"') return at + 1;
    if (at + 1 == text_.size()) break;
  }
  return 0;
}

Result<std::size_t> Cursor::string_end(std::size_t at) {
  if (const std::size_t end = find_string_end(at); end != 0) return end;
  return broken("the JSON text ends inside a string", text_.size());
}

Result<std::string_view> Cursor::decode(std::string_view quoted, std::size_t offset) {
  const std::string_view inside = quoted.substr(1, quoted.size() - 2);
  if (offset == plain_ || inside.find('\\') == std::string_view::npos) return inside;
  // An escape is never shorter than what it stands for.
  const std::span<char> room = arena_->allocate(inside.size() + Undo<true>::kRoom);
  Undo<true> undo{.rest = inside, .out = room.data()};
  if (!undo.run(room.size())) return bad_escape(offset + quoted.size() - 1 - undo.rest.size());
  return std::string_view(room.data(), undo.size);
}

Result<std::uint64_t> Cursor::string_size(const Value& value) {
  auto text = quoted(value);
  if (!text) return fail(std::move(text.error()));
  Undo<false> undo{.rest = text->substr(1, text->size() - 2)};
  if (undo.run(SIZE_MAX)) return undo.size;
  return bad_escape(value.offset + text->size() - 1 - undo.rest.size());
}

Result<Piece> StringSource::pull() {
  constexpr std::size_t kLongest = std::size_t{64} << 10;  // what is pulled may be copied as it is
  if (rest_.empty()) return Piece{};
  const std::string_view near = rest_.substr(0, kLongest);
  const std::string_view plain = near.substr(0, near.find('\\'));
  if (plain.size() >= kWorthAView || plain.size() == rest_.size()) {
    rest_.remove_prefix(plain.size());
    return Piece{Piece::Kind::bytes, plain};
  }
  Undo<true> undo{.rest = rest_, .out = buffer_.data()};
  if (!undo.run(buffer_.size() - Undo<true>::kRoom)) return bad_escape(0);
  rest_ = undo.rest;
  return Piece{Piece::Kind::bytes, {buffer_.data(), undo.size}};
}

}  // namespace rehead::codec::json
