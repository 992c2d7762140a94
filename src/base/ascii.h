// Bytes as HTTP sees them: classes as constexpr tables, case folding, trimming, checked numbers.
// Locale plays no part anywhere.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace rehead::ascii {

enum Class : std::uint8_t {
  kToken = 1,    // tchar, RFC 9110 5.6.2
  kDigit = 2,    // 0-9
  kHex = 4,      // 0-9 a-f A-F
  kControl = 8,  // 00-1F and 7F, HTAB excepted
};

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool digit = c >= '0' && c <= '9';
    const bool alpha = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool mark = c != 0 && std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) !=
                                    std::string_view::npos;
    unsigned bits = 0;
    if (digit || alpha || mark) bits |= kToken;
    if (digit) bits |= kDigit;
    if (digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) bits |= kHex;
    if ((c < 0x20 && c != '\t') || c == 0x7F) bits |= kControl;
    classes[c] = static_cast<std::uint8_t>(bits);
  }
  return classes;
}
inline constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

constexpr bool is(char c, Class wanted) {
  return (kClasses[static_cast<unsigned char>(c)] & wanted) != 0;
}
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_digit(char c) { return is(c, kDigit); }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// True for a non-empty run of tchar (RFC 9110 5.6.2).
constexpr bool is_token(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (!is(c, kToken)) return false;
  }
  return true;
}

/// Equal without regard to the case of ASCII letters.
constexpr bool equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}
/// The order of bytes without regard to the case of ASCII letters.
constexpr bool before(std::string_view a, std::string_view b) {
  const std::size_t shared = a.size() < b.size() ? a.size() : b.size();
  for (std::size_t i = 0; i < shared; ++i) {
    const auto x = static_cast<unsigned char>(lower(a[i]));
    const auto y = static_cast<unsigned char>(lower(b[i]));
    if (x != y) return x < y;
  }
  return a.size() < b.size();
}
constexpr bool starts_with(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && equal(text.substr(0, prefix.size()), prefix);
}
inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

/// Without SP and HTAB at both ends (OWS, RFC 9110 5.6.3).
constexpr std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// A decimal number of digits alone, at most `limit`; nothing else passes.
constexpr std::optional<std::uint64_t> decimal(
    std::string_view text,
    std::uint64_t limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (limit - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value;
}

/// A number of bytes as users type it: digits, then at most one of k M G (1024), any case.
constexpr std::optional<std::uint64_t> parse_size(std::string_view text) {
  unsigned shift = 0;
  if (!text.empty()) {
    const char unit = lower(text.back());
    shift = unit == 'k' ? 10 : unit == 'm' ? 20 : unit == 'g' ? 30 : 0;
    if (shift != 0) text.remove_suffix(1);
  }
  const auto number =
      decimal(text, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) >> shift);
  if (!number) return std::nullopt;
  return *number << shift;
}

constexpr unsigned hex_value(char c) {
  return static_cast<unsigned>(is_digit(c) ? c - '0' : lower(c) - 'a' + 10);
}

/// Input bytes for a message on stderr: clipped at `clip`, control bytes and bytes >= 7F as \xNN.
std::string quoted(std::string_view bytes, std::size_t clip = 60);

/// `text` with control bytes as \xNN: it keeps to its line.
std::string one_line(std::string_view text);

}  // namespace rehead::ascii
