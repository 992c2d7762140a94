// What is wrong with the cookies a response sets (RFC 6265bis 4.1, 5.7; CHIPS), for lint.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "http/exchange.h"

namespace rehead::report {

/// Takes a fault: its code, what it is.
using AddFault = std::function<void(std::string_view code, std::string what)>;

/// Looks at every Set-Cookie field of the response.
void look_at_cookies(const http::Exchange& exchange, const AddFault& add);

}  // namespace rehead::report
