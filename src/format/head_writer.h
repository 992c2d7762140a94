// Writes a head as raw HTTP: start line, field lines, empty line. What no step has touched leaves
// as whole byte ranges of the input; lines that ended in bare LF get CRLF unless the head keeps LF.
#pragma once

#include "base/io.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::format {

/// Makes a start line possible whose parts came from elsewhere than raw HTTP: a version that is
/// none becomes HTTP/1.1; CR, LF and NUL in a reason become SP, with a warning (with
/// Strictness::strict an Error). False: there was no answer (status 0), a note says so. Error:
/// method, target or status cannot stand in a start line (RFC 9112 3, 4). To be called before the
/// framing is planned.
Result<bool> fit_start_line(http::Message& message, const http::Policy& policy);

/// The head of `message`, its empty line included if the head was complete. Never writes what could
/// not stand in a head: a name that is no token is left out, CR, LF and NUL in a value become SP,
/// each with a finding (with Strictness::strict an Error).
Status write_head(const http::Message& message, const http::Policy& policy, ByteSink& output);

/// The trailers of `message`, field lines that each end in CRLF; those that frame a message are left
/// out (http::may_be_trailer).
Status write_trailers(const http::Message& message, const http::Policy& policy, ByteSink& output);

}  // namespace rehead::format
