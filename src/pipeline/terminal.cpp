#include "pipeline/terminal.h"

#include <unistd.h>

#include <array>
#include <cstdlib>

namespace rehead {
namespace {

void append_hex(std::string& out, char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  out += "\\x";
  out += kDigits[value >> 4];
  out += kDigits[value & 15];
}

/// Length of the UTF-8 sequence (RFC 3629) that begins with `first`; 0: none does.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

/// How many bytes of `bytes` belong to the sequence it begins with: all, or fewer if it is broken.
std::size_t valid_prefix(std::string_view bytes, std::size_t length) {
  std::size_t i = 1;
  while (i < length && i < bytes.size() && (static_cast<unsigned char>(bytes[i]) & 0xC0) == 0x80) {
    ++i;
  }
  return i;
}

/// U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069: they change the order of what is
/// shown. And U+2028, U+2029, which may break a line.
bool turns_text(std::string_view sequence) {
  if (sequence.substr(0, 2) == "\xD8\x9C") return true;
  if (sequence.size() < 3 || sequence[0] != '\xE2') return false;
  const auto third = static_cast<unsigned char>(sequence[2]);
  if (sequence[1] == '\x80') return third == 0x8E || third == 0x8F || (third >= 0xA8 && third <= 0xAE);
  return sequence[1] == '\x81' && third >= 0xA6 && third <= 0xA9;
}

/// A sequence that is longer than it should be, a surrogate, or a C1 control.
bool forbidden(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  const auto second = static_cast<unsigned char>(sequence[1]);
  return (first == 0xC2 && second < 0xA0) || (first == 0xE0 && second < 0xA0) ||
         (first == 0xED && second >= 0xA0) || (first == 0xF0 && second < 0x90) ||
         (first == 0xF4 && second >= 0x90);
}

}  // namespace

Look look_of_stdout(When colour) {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  const bool fit = terminal && (no_colour == nullptr || *no_colour == '\0') &&
                   (kind == nullptr || std::string_view(kind) != "dumb");
  return {.colour = colour == When::always || (colour == When::automatic && fit),
          .harmless = terminal};
}

void paint(std::string& out, Ink ink, std::string_view text, const Look& look) {
  static constexpr std::array<std::string_view, 7> kCodes = {"", "1", "2", "31", "32", "33", "36"};
  if (!look.colour || ink == Ink::plain || text.empty()) {
    out += text;
    return;
  }
  out += "\x1b[";
  out += kCodes[static_cast<std::size_t>(ink)];
  out += 'm';
  out += text;
  out += "\x1b[0m";
}

std::size_t append_harmless(std::string& out, std::string_view bytes, bool whole) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::string_view rest = bytes.substr(at);
    const auto byte = static_cast<unsigned char>(rest[0]);
    if (byte == '\r') {
      if (rest.size() == 1 && !whole) return at;
      const bool line_end = rest.size() > 1 && rest[1] == '\n';
      line_end ? void(out += '\r') : append_hex(out, rest[0]);
      ++at;
      continue;
    }
    if (byte < 0x80) {
      const bool control = (byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7F;
      control ? append_hex(out, rest[0]) : void(out += rest[0]);
      ++at;
      continue;
    }
    const std::size_t length = sequence_length(byte);
    const std::size_t there = length == 0 ? 1 : valid_prefix(rest, length);
    if (there == rest.size() && there < length && !whole) return at;
    if (there != length || forbidden(rest)) {
      append_hex(out, rest[0]);
      ++at;
    } else if (turns_text(rest.substr(0, length))) {
      for (const char each : rest.substr(0, length)) append_hex(out, each);
      at += length;
    } else {
      out += rest.substr(0, length);
      at += length;
    }
  }
  return at;
}

}  // namespace rehead
