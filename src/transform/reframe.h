// For the steps that take the chunks off a body: how the sink is told.
#pragma once

#include "http/exchange.h"

namespace rehead::transform {

/// The message has a body that is chunked: on the wire, by its label, or by an earlier step.
bool is_chunked(const http::Message& message);

/// Has the body delivered under a Content-Length; Transfer-Encoding and Trailer go. A message
/// without a body is left alone. One with a transfer coding besides chunked that nobody undid is
/// too, with a warning: without its label the bytes would mean something else. True if the framing
/// was settled.
bool frame_by_length(http::Message& message, const http::Exchange& exchange);

}  // namespace rehead::transform
