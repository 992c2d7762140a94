// For the steps that put codings on a body or take them off.
#pragma once

#include <cstdint>

#include "http/message.h"

namespace rehead::transform {

/// What becomes of a strong entity tag once the bytes are others (RFC 9110 8.8.3: two codings of
/// one content may share a weak tag, never a strong one).
enum class TagRule : std::uint8_t { keep, weaken, drop };

/// Mends the fields that described the bytes as they were coded before: ETag by `rule`;
/// Accept-Ranges and digests go, Trailer and trailers too where they announce a digest. Lengths are
/// the sink's.
Status mend_recoded(http::Message& message, TagRule rule);

}  // namespace rehead::transform
