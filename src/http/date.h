// Points in time as messages and entries state them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rehead::http {

struct Instant {
  std::int64_t seconds = 0;    // since 1970, UTC
  std::uint64_t fraction = 0;  // of a second, in units of 1e-18
  auto operator<=>(const Instant&) const = default;
};

/// ISO 8601, as in HAR: 2025-01-14T09:13:02.123+01:00. Time, seconds, fraction and zone may be left
/// out; without a zone it is UTC. Nothing for any other text.
std::optional<Instant> parse_instant(std::string_view text);

/// "Wed, 09 Jun 2027 10:18:14 GMT" (RFC 9110 5.6.7, and the spellings of cookies with dashes or two
/// digits of a year) -> "2027-06-09T10:18:14.000Z"; nothing for what is no such date.
std::optional<std::string> iso_time(std::string_view date);

}  // namespace rehead::http
