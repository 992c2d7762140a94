// Whether a text is JSON to the letter of RFC 8259; what --strict asks for.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace rehead::codec::json {

/// Checks a whole text: grammar, numbers, escapes, surrogates in pairs, UTF-8. Repeated keys pass.
/// Errors: Errc::syntax, or Errc::limit for nesting, with `byte` counted from the start of the
/// text.
Status check(std::string_view text, std::size_t max_depth);

/// True for a number as RFC 8259 6 has it.
bool is_number(std::string_view text);

}  // namespace rehead::codec::json
