// A message of an entry (HAR, NDJSON) made fit to stand in raw HTTP. An entry tells of what
// browsers saw, not of what was on the wire: "h2", full URLs, decoded bodies under the labels of
// coded ones. Nothing of it can end a line, start another or frame a body that is not there (RFC
// 9112).
#pragma once

#include "http/exchange.h"

namespace rehead::format {

/// The start line: a version of HTTP/1, one target, a reason without line ends. False: there is no
/// such message on the wire (status 0, 101, a method that is no token), which is reported.
bool fit_start_line(const http::Exchange& exchange, http::Message& message);

/// The fields: labels over a decoded body go, blank members of joined values too; a request gets a
/// Host, and loses the length of a body that was not recorded.
void fit_fields(const http::Exchange& exchange, http::Message& message);

}  // namespace rehead::format
