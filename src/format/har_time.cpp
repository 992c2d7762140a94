#include "format/har_time.h"

#include <array>

#include "base/ascii.h"

namespace rehead::format {
namespace {

constexpr std::string_view kMonths = "jan feb mar apr may jun jul aug sep oct nov dec ";

/// The next run of letters, digits and colons.
std::string_view take_word(std::string_view& rest) {
  const auto is_word = [](char c) {
    const char low = ascii::lower(c);
    return ascii::is_digit(c) || c == ':' || (low >= 'a' && low <= 'z');
  };
  while (!rest.empty() && !is_word(rest.front())) rest.remove_prefix(1);
  std::size_t size = 0;
  while (size < rest.size() && is_word(rest[size])) ++size;
  const std::string_view word = rest.substr(0, size);
  rest.remove_prefix(size);
  return word;
}

std::string two(std::uint64_t number) {
  return {static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
}

bool is_clock(std::string_view word) {
  if (word.size() != 8 || word[2] != ':' || word[5] != ':') return false;
  return ascii::decimal(word.substr(0, 2), 23) && ascii::decimal(word.substr(3, 2), 59) &&
         ascii::decimal(word.substr(6, 2), 60);
}

}  // namespace

std::optional<std::string> iso_time(std::string_view date) {
  // RFC 6265 5.1.1: tokens in any order, each kind taken once.
  std::optional<std::uint64_t> day, month, year;
  std::string_view clock;
  for (std::string_view word = take_word(date); !word.empty(); word = take_word(date)) {
    if (clock.empty() && is_clock(word)) {
      clock = word;
    } else if (const auto number = ascii::decimal(word, 9999)) {
      if (!day && word.size() <= 2 && *number >= 1 && *number <= 31) {
        day = number;
      } else if (!year && (word.size() == 2 || word.size() == 4)) {
        year = word.size() == 4 ? *number : *number + (*number < 70 ? 2000 : 1900);
      }
    } else if (!month && word.size() == 3) {
      const std::size_t at = kMonths.find(ascii::lowered(word) + ' ');
      if (at != std::string_view::npos) month = at / 4 + 1;
    }
  }
  if (!day || !month || !year || clock.empty() || *year < 1601) return std::nullopt;
  return two(*year / 100) + two(*year % 100) + '-' + two(*month) + '-' + two(*day) + 'T' +
         std::string(clock) + ".000Z";
}

}  // namespace rehead::format
