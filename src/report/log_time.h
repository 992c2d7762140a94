// Dates as they stand in messages and entries, as access logs write them.
#pragma once

#include <string>
#include <string_view>

namespace rehead::report {

/// `time` (ISO 8601, as in a HAR entry), else `date` (IMF-fixdate, RFC 9110 5.6.7), as
/// 14/Jan/2025:09:13:02 +0000; "-" if neither is one. Nothing is converted, the zone stays.
std::string log_time(std::string_view time, std::string_view date);

}  // namespace rehead::report
