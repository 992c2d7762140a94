// The phrases that go with status codes (RFC 9110 15 and the IANA registry).
#pragma once

#include <string_view>

namespace rehead::http {

/// Empty for a status that nobody registered.
std::string_view reason_of(unsigned status);

}  // namespace rehead::http
