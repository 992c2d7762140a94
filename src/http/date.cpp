#include "http/date.h"

#include "base/ascii.h"

namespace rehead::http {
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

/// Takes `digits` digits off the front; nothing if they are not there or above `most`.
std::optional<std::int64_t> take(std::string_view& rest, std::size_t digits, std::uint64_t most) {
  if (rest.size() < digits) return std::nullopt;
  const auto number = ascii::decimal(rest.substr(0, digits), most);
  if (!number) return std::nullopt;
  rest.remove_prefix(digits);
  return static_cast<std::int64_t>(*number);
}

bool take_sign(std::string_view& rest, char sign) {
  if (!rest.starts_with(sign)) return false;
  rest.remove_prefix(1);
  return true;
}

/// Days from 1970-01-01 in the Gregorian calendar; years begin in March, so leap days come last.
std::int64_t days(std::int64_t year, std::int64_t month, std::int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = year / 400;
  const std::int64_t of_era = year - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

std::uint64_t take_fraction(std::string_view& rest) {
  std::uint64_t fraction = 0;
  std::uint64_t unit = 100'000'000'000'000'000;
  while (!rest.empty() && ascii::is_digit(rest.front())) {
    fraction += unit * static_cast<std::uint64_t>(rest.front() - '0');
    unit /= 10;
    rest.remove_prefix(1);
  }
  return fraction;
}

/// Seconds east of Greenwich; nothing for what is no zone.
std::optional<std::int64_t> zone_of(std::string_view rest) {
  if (rest.empty() || rest == "Z" || rest == "z") return 0;
  const bool west = rest.front() == '-';
  if (!west && rest.front() != '+') return std::nullopt;
  rest.remove_prefix(1);
  const auto hours = take(rest, 2, 23);
  static_cast<void>(take_sign(rest, ':'));
  const auto minutes = rest.empty() ? std::optional<std::int64_t>(0) : take(rest, 2, 59);
  if (!hours || !minutes || !rest.empty()) return std::nullopt;
  return (west ? -1 : 1) * (*hours * 3600 + *minutes * 60);
}

}  // namespace

std::optional<Instant> parse_instant(std::string_view text) {
  const auto year = take(text, 4, 9999);
  if (!year || !take_sign(text, '-')) return std::nullopt;
  const auto month = take(text, 2, 12);
  if (!month || !take_sign(text, '-')) return std::nullopt;
  const auto day = take(text, 2, 31);
  if (!day || *month == 0 || *day == 0) return std::nullopt;
  Instant instant{.seconds = days(*year, *month, *day) * 86400};
  if (text.empty()) return instant;
  if (!take_sign(text, 'T') && !take_sign(text, 't') && !take_sign(text, ' ')) return std::nullopt;
  const auto hour = take(text, 2, 24);
  if (!hour || !take_sign(text, ':')) return std::nullopt;
  const auto minute = take(text, 2, 59);
  if (!minute) return std::nullopt;
  std::optional<std::int64_t> second = 0;
  if (take_sign(text, ':')) {
    second = take(text, 2, 60);
    if (second && (take_sign(text, '.') || take_sign(text, ','))) {
      instant.fraction = take_fraction(text);
    }
  }
  const auto zone = zone_of(text);
  if (!second || !zone) return std::nullopt;
  instant.seconds += *hour * 3600 + *minute * 60 + *second - *zone;
  return instant;
}

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

}  // namespace rehead::http
