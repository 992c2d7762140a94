// What stands around a place in a text that may be plain, percent-encoded, or the inside of a JSON
// string: whether a word begins there.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/ascii.h"

namespace rehead::redact {

constexpr bool is_letter(char c) { return ascii::lower(c) >= 'a' && ascii::lower(c) <= 'z'; }
constexpr bool is_alphanumeric(char c) { return is_letter(c) || ascii::is_digit(c); }
constexpr bool is_word(char c) { return is_alphanumeric(c) || c == '_'; }

/// True for `digits` hexadecimal digits at `at`.
constexpr bool has_hex(std::string_view text, std::size_t at, std::size_t digits) {
  if (text.size() < digits || at > text.size() - digits) return false;
  for (std::size_t i = 0; i < digits; ++i) {
    if (!ascii::is(text[at + i], ascii::kHex)) return false;
  }
  return true;
}

/// The size of the escape that ends at `at`: %XX, \n and its like, or \uXXXX; 0 if there is none.
constexpr std::size_t escape_before(std::string_view text, std::size_t at) {
  if (at >= 3 && text[at - 3] == '%' && has_hex(text, at - 2, 2)) return 3;
  if (at >= 2 && text[at - 2] == '\\' && std::string_view("bfnrt").find(text[at - 1]) < 5) return 2;
  if (at >= 6 && text[at - 6] == '\\' && text[at - 5] == 'u' && has_hex(text, at - 4, 4)) return 6;
  return 0;
}

/// True if no letter, digit or _ stands right before `at`, unless it is the end of an escape.
constexpr bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || !is_word(text[at - 1]) || escape_before(text, at) != 0;
}

}  // namespace rehead::redact
