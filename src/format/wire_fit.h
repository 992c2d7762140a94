// A message of an entry (HAR, NDJSON) made fit to stand in raw HTTP. An entry tells of what
// browsers saw, not of what was on the wire: "h2", full URLs, decoded bodies under the labels of
// coded ones. Nothing of it can end a line, start another or frame a body that is not there (RFC
// 9112).
#pragma once

#include "http/exchange.h"

namespace rehead::format {

/// True for a request whose recorded body is empty, as browsers write it beside a GET: no body.
bool empty_record(const http::Message& request);

/// The start line: a version of HTTP/1, a target without blanks. False: there was no such message
/// in a stream of HTTP/1 messages (101, a URL of another scheme), a note says so. What else may be
/// wrong with it is fit_start_line's (head_writer.h).
bool fit_entry_line(const http::Exchange& exchange, http::Message& message);

/// The fields: labels over a decoded body go, blank members of joined values too; a request gets a
/// Host, and loses the length of a body that was not recorded. False: the
/// text of a response was not recorded, it is written empty.
bool fit_entry_fields(const http::Exchange& exchange, http::Message& message);

}  // namespace rehead::format
