// The URL of a request, and its parts.
#pragma once

#include <string>
#include <string_view>

#include "http/exchange.h"

namespace rehead::format {

/// What the exchange says, else what a raw request asks for: nothing on the wire tells http from
/// https.
std::string request_url(const http::Exchange& exchange, const http::Message& request);

/// Where the "://" behind the scheme of a URL stands (RFC 3986 3.1); npos if it has none: data: and
/// about: URLs, paths.
std::size_t scheme_end(std::string_view url);
/// True for URLs that are asked for by HTTP: http, https, ws, wss.
bool is_http_url(std::string_view url);

/// host[:port] of a URL, without user information; empty if there is none.
std::string_view authority_of(std::string_view url);

}  // namespace rehead::format
