// Times as HTTP has them -> times as HAR has them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rehead::format {

/// "Wed, 09 Jun 2027 10:18:14 GMT" (RFC 9110 5.6.7, and the spellings of cookies with dashes or two
/// digits of a year) -> "2027-06-09T10:18:14.000Z"; nothing for what is no such date.
std::optional<std::string> iso_time(std::string_view date);

}  // namespace rehead::format
