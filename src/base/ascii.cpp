// Quoting of input bytes for diagnostics (spec section 8): never a raw control byte on stderr.
#include "base/ascii.h"

namespace rehead::ascii {

std::string quoted(std::string_view bytes, std::size_t clip) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : bytes.substr(0, clip)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F) {
      out += "\\x";
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  out += bytes.size() > clip ? "...\"" : "\"";
  return out;
}

}  // namespace rehead::ascii
