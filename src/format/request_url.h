// URLs of requests where they are needed whole: in a HAR, in a curl command.
#pragma once

#include <string>
#include <string_view>

#include "http/exchange.h"

namespace rehead::format {

/// The URL of the exchange's request, absolute in any case: without Host it is asked of localhost.
std::string request_url(const http::Exchange& exchange);

/// Bytes that cannot stand in a request target are percent-encoded (RFC 9112 3.2, RFC 3986 2.1).
std::string encoded(std::string_view url);

/// The target a request for `url` has on the wire (RFC 9112 3.2), without the fragment.
std::string_view target_of(std::string_view method, std::string_view url);

/// True for URLs that are asked for by HTTP: http, https, ws, wss.
bool is_http_url(std::string_view url);

/// What Host says of a URL: its authority without user information (RFC 9110 7.2).
std::string_view host_of(std::string_view url);

/// `location` against `base`, as far as scheme and authority are all it lacks; else as it is.
std::string absolute_url(std::string_view location, std::string_view base);

}  // namespace rehead::format
