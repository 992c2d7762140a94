// Inputs that are taken for HAR and are something else: names them and the way out.
#pragma once

#include <string_view>

#include "base/result.h"

namespace rehead::format {

/// True if an input that begins with `start` is JSON in a wrapping: UTF-16, JSONP, a zip archive.
/// The HAR reader says what to do about it.
bool is_wrapped_json(std::string_view start);

/// The error for an input that is no HAR where `text` begins. `after_document`: a HAR precedes it.
Error mistaken_for_har(std::string_view text, bool after_document);

}  // namespace rehead::format
