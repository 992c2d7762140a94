// Bytes in, JSON out. RFC 8259 7: `"`, `\` and 00-1F must be escaped; DEL is too, so that no
// control byte ever stands in the output. All else passes as it is: whether it is UTF-8 the caller
// knows.
#include "codec/json_write.h"

#include <array>
#include <charconv>

namespace rehead::codec::json {
namespace {

/// What follows the backslash: a letter, 'u' for \u00XX, or 0 for a byte that needs none.
constexpr std::array<char, 256> make_escapes() {
  std::array<char, 256> escapes{};
  for (std::size_t c = 0; c < 0x20; ++c) escapes[c] = 'u';
  escapes[0x7F] = 'u';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  escapes['\b'] = 'b';
  escapes['\f'] = 'f';
  escapes['\n'] = 'n';
  escapes['\r'] = 'r';
  escapes['\t'] = 't';
  return escapes;
}
constexpr std::array<char, 256> kEscapes = make_escapes();

void append_code(std::string& out, unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u00";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  std::size_t plain = 0;  // where the run that needs no escape begins
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const char escape = kEscapes[byte];
    if (escape == 0) continue;
    out.append(text, plain, i - plain);
    plain = i + 1;
    if (escape == 'u') {
      append_code(out, byte);
    } else {
      out += '\\';
      out += escape;
    }
  }
  out.append(text, plain);
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  append_escaped(out, text);
  out += '"';
}

void append_latin1(std::string& out, std::string_view bytes) {
  out += '"';
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) {
      append_code(out, byte);
    } else {
      append_escaped(out, {&c, 1});
    }
  }
  out += '"';
}

void append_number(std::string& out, std::uint64_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

}  // namespace rehead::codec::json
