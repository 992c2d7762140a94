// RFC 8259 7: `"`, `\` and 00-1F must be escaped; DEL is escaped too, so that no control byte is
// ever written.
#include "codec/json_writer.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "codec/json_block.h"
#include "codec/utf8.h"

namespace rehead::codec {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kWidest = 6;  // \u001f
constexpr std::size_t kShort = 256;  // a string worth a look before it is written

/// \u00XX into `out`.
void put_code(char* out, unsigned char byte) {
  std::memcpy(out, "\\u00", 4);
  out[4] = kDigits[byte >> 4];
  out[5] = kDigits[byte & 15];
}

/// The letter that follows the backslash; 0 for bytes that have none.
constexpr std::array<char, 256> kLetters = [] {
  std::array<char, 256> letters{};
  letters['"'] = '"';
  letters['\\'] = '\\';
  letters['\b'] = 'b';
  letters['\f'] = 'f';
  letters['\n'] = 'n';
  letters['\r'] = 'r';
  letters['\t'] = 't';
  return letters;
}();

/// Escapes `byte`, which needs it, into `out`. How long that is.
std::size_t put_escape(char* out, char byte) {
  const char letter = kLetters[static_cast<unsigned char>(byte)];
  if (letter == 0) {
    put_code(out, static_cast<unsigned char>(byte));
    return kWidest;
  }
  out[0] = '\\';
  out[1] = letter;
  return 2;
}

/// A surrogate in the three bytes UTF-8 would give it: ED A0..BF 80..BF.
bool is_surrogate(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  return bytes.size() >= 3 && at(0) == 0xED && at(1) >= 0xA0 && at(1) < 0xC0 && at(2) >= 0x80 &&
         at(2) < 0xC0;
}

void append_surrogate(std::string& out, std::string_view bytes) {
  const unsigned code = 0xD000U | (static_cast<unsigned char>(bytes[1]) & 0x3FU) << 6 |
                        (static_cast<unsigned char>(bytes[2]) & 0x3FU);
  out += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kDigits[(code >> shift) & 15];
}

/// Where the first byte that has to be escaped stands, or the end.
std::size_t plain_end(std::string_view text) {
  const std::size_t size = text.size();
  std::size_t at = 0;
#if defined(__SSE2__)
  const char* const bytes = text.data();
  for (; size - at >= 16; at += 16) {
    const unsigned hits = json::mask16(json::escapes16(json::sixteen(bytes + at)));
    if (hits != 0) return at + static_cast<std::size_t>(std::countr_zero(hits));
  }
  if (size >= 4 && at < size) {  // the rest, and some of what was seen
    const __m128i lane =
        size >= 16 ? json::sixteen(bytes + size - 16) : json::sixteen_of(bytes, size);
    if (json::mask16(json::escapes16(lane)) == 0) return size;
  }
#endif
  while (at < size && !json::needs_escape(text[at])) ++at;
  return at;
}

/// Puts a text at `to`; behind it.
template <std::size_t kSize>
char* put(char* to, const char (&text)[kSize]) {
  std::memcpy(to, text, kSize - 1);
  return to + kSize - 1;
}
inline char* put(char* to, std::string_view text) {
  return std::copy(text.begin(), text.end(), to);
}

/// True if all of it is ASCII that needs no escape.
bool is_plain(std::string_view text) {
  const std::size_t size = text.size();
  std::size_t at = 0;
#if defined(__SSE2__)
  const char* const bytes = text.data();
  // The sign bit of a byte that is not ASCII is a hit by itself.
  const auto hits = [](__m128i lane) {
    return json::mask16(_mm_or_si128(json::escapes16(lane), lane));
  };
  if (size >= 16) {
    for (; size - at > 16; at += 16) {
      if (hits(json::sixteen(bytes + at)) != 0) return false;
    }
    return hits(json::sixteen(bytes + size - 16)) == 0;
  }
  if (size >= 4) return hits(json::sixteen_of(bytes, size)) == 0;
#endif
  for (; at < size; ++at) {
    if (json::needs_escape(text[at]) || static_cast<unsigned char>(text[at]) >= 0x80) return false;
  }
  return true;
}

/// Writes whole blocks off the start of `text`, their escapes in place.
void append_blocks(std::string& out, std::string_view& text) {
  constexpr std::size_t kAhead = 16;  // what is copied along in steps of 16 bytes
  std::array<char, std::size_t{8} << 10> room;
  std::size_t size = 0;
  for (; text.size() >= json::kBlock + kAhead; text.remove_prefix(json::kBlock)) {
    const char* const bytes = text.data();
    std::size_t at = 0;
    const auto copy_to = [&](std::size_t end) {
      char* const to = room.data() + size;
      for (std::size_t i = 0; i < end - at; i += 16) std::memcpy(to + i, bytes + at + i, 16);
      size += end - at;
    };
    for (std::uint64_t bits = json::escape_bits(bytes); bits != 0; bits &= bits - 1) {
      const auto next = static_cast<std::size_t>(std::countr_zero(bits));
      copy_to(next);
      at = next + 1;
      size += put_escape(room.data() + size, bytes[next]);
    }
    copy_to(json::kBlock);
    if (room.size() - size >= json::kBlock * kWidest + kAhead) continue;
    out.append(room.data(), size);
    size = 0;
  }
  out.append(room.data(), size);
}

void append_escaped(std::string& out, std::string_view text) {
  const auto append_plain = [&] {
    const std::size_t plain = plain_end(text);
    out.append(text, 0, plain);
    text.remove_prefix(plain);
    return text.empty();
  };
  if (append_plain()) return;
  append_blocks(out, text);
  while (!append_plain()) {
    std::array<char, kWidest> escape;
    out.append(escape.data(), put_escape(escape.data(), text.front()));
    text.remove_prefix(1);
  }
}

}  // namespace

void JsonWriter::begin_value() {
  if (comma_) out_ += ',';
  comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
  begin_value();
  out_ += bracket;
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  comma_ = true;
  return *this;
}

/// `size` bytes behind the output, and before them the comma if one is due.
inline char* JsonWriter::room(std::size_t size) {
  const std::size_t at = out_.size();
  const std::size_t comma = comma_ ? 1 : 0;
  out_.resize(at + comma + size);
  char* const to = out_.data() + at;
  if (comma != 0) *to = ',';
  return to + comma;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(is_plain(name));
  put(put(put(room(name.size() + 3), "\""), name), "\":");
  comma_ = false;
  return *this;
}

bool JsonWriter::plain_pair(std::string_view first, std::string_view second) {
  if (!is_plain(first) || !is_plain(second)) return false;
  char* const to = put(room(first.size() + second.size() + 7), "[\"");
  put(put(put(put(to, first), "\",\""), second), "\"]");
  comma_ = true;
  return true;
}

JsonWriter& JsonWriter::string(std::string_view utf8) {
  if (utf8.size() <= kShort && is_plain(utf8)) {
    put(put(put(room(utf8.size() + 2), "\""), utf8), "\"");
    comma_ = true;
    return *this;
  }
  open_string();
  append_escaped(out_, utf8);
  return close_string();
}

bool JsonWriter::text(std::string_view bytes) {
  if (is_plain(bytes) || is_utf8(bytes)) return string(bytes), true;
  const std::string_view whole = bytes;
  const bool comma = comma_;
  const std::size_t start = out_.size();
  open_string();
  while (!bytes.empty()) {
    std::size_t plain = 0;
    while (plain < bytes.size() && !is_surrogate(bytes.substr(plain))) ++plain;
    if (!is_utf8(bytes.substr(0, plain))) break;
    append_escaped(out_, bytes.substr(0, plain));
    bytes.remove_prefix(plain);
    if (bytes.empty()) break;
    append_surrogate(out_, bytes);
    bytes.remove_prefix(3);
  }
  if (bytes.empty()) return close_string(), true;
  out_.resize(start);
  comma_ = comma;
  latin1(whole);
  return false;
}

JsonWriter& JsonWriter::latin1(std::string_view bytes) {
  open_string();
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) {
      std::array<char, kWidest> code;
      put_code(code.data(), byte);
      out_.append(code.data(), code.size());
    } else {
      append_escaped(out_, {&c, 1});
    }
  }
  return close_string();
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  begin_value();
  out_ += json;
  return *this;
}

JsonWriter& JsonWriter::open_string() {
  begin_value();
  out_ += '"';
  return *this;
}

void JsonWriter::piece(std::string_view utf8) { append_escaped(out_, utf8); }

JsonWriter& JsonWriter::close_string() {
  out_ += '"';
  return *this;
}

void JsonWriter::end_line() {
  out_ += '\n';
  comma_ = false;
}

void JsonWriter::clear() {
  out_.clear();
  comma_ = false;
}

}  // namespace rehead::codec
