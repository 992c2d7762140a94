// The label Content-Encoding (RFC 9110 8.4): read, and made to name the codings the content
// carries. Which those are is the source's to find (codec/judge.h).
#pragma once

#include <string_view>

#include "http/message.h"

namespace rehead::http {

/// The coding of that token (any case, x-gzip too); Coding::other for an unknown one.
Coding coding_of(std::string_view token);
/// The token rehead writes for a coding; empty for Coding::other.
std::string_view token_of(Coding coding);

/// The codings Content-Encoding names, over all its fields, outermost last; `identity` is none.
Codings content_codings(const HeaderMap& headers);
/// The outermost of them as it is spelt; empty if there is none.
std::string_view outermost_coding(const HeaderMap& headers REHEAD_LIFETIMEBOUND);

/// Makes Content-Encoding name the codings of the notes: as it is spelt where it names them
/// already, nothing where there are none.
void label_codings(Message& message);

/// The same where the source found that the label does not say what the bytes are, with a warning.
void mend_false_coding(Message& message);

}  // namespace rehead::http
