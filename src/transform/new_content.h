// For the steps that put other content in the place of a body.
#pragma once

#include <string_view>

#include "base/io.h"
#include "http/message.h"

namespace rehead::transform {

/// Takes out what does not hold for other content: Content-Encoding, ETag, digests, Trailer and the
/// trailers; the notes on codings are cleared. Lengths are the sink's.
void forget_content(http::Message& message);

}  // namespace rehead::transform
