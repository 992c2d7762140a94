// RFC 8259 7: `"`, `\` and 00-1F must be escaped; DEL is escaped too, so that no control byte is
// ever written.
#include "codec/json_writer.h"

#include "codec/utf8.h"

namespace rehead::codec {
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

/// A surrogate in the three bytes UTF-8 would give it: ED A0..BF 80..BF.
bool is_surrogate(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  return bytes.size() >= 3 && at(0) == 0xED && at(1) >= 0xA0 && at(1) < 0xC0 && at(2) >= 0x80 &&
         at(2) < 0xC0;
}

void append_surrogate(std::string& out, std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const unsigned code = 0xD000U | (static_cast<unsigned char>(bytes[1]) & 0x3FU) << 6 |
                        (static_cast<unsigned char>(bytes[2]) & 0x3FU);
  out += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kDigits[(code >> shift) & 15];
}

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

JsonWriter& JsonWriter::key(std::string_view name) {
  string(name);
  out_ += ':';
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view utf8) {
  open_string();
  append_escaped(out_, utf8);
  return close_string();
}

bool JsonWriter::text(std::string_view bytes) {
  if (is_utf8(bytes)) return string(bytes), true;
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
      append_code(out_, byte);
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
