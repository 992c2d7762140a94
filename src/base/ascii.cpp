// Quoting of input bytes for diagnostics: never a raw control byte on stderr.
#include "base/ascii.h"

namespace rehead::ascii {
namespace {

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  out += "\\x";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == '\x7F';
    control ? append_escaped(out, c) : void(out += c);
  }
  return out;
}

std::string quoted(std::string_view bytes, std::size_t clip) {
  std::string out = "\"";
  for (const char c : bytes.substr(0, clip)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F) {
      append_escaped(out, c);
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  out += bytes.size() > clip ? "...\"" : "\"";
  return out;
}

}  // namespace rehead::ascii
