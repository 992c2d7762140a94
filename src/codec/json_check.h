// Whether a text is JSON to the letter of RFC 8259; what --strict asks for.
#pragma once

#include <cstddef>
#include <string_view>

#include <cstdint>
#include <optional>

#include "base/result.h"

namespace rehead::codec::json {

/// Checks a whole text: grammar, numbers, escapes, surrogates in pairs, UTF-8. Repeated keys pass.
/// Errors: Errc::syntax, or Errc::limit for nesting, with `byte` counted from the start of the
/// text.
Status check(std::string_view text, std::size_t max_depth);

/// True for a number as RFC 8259 6 has it.
bool is_number(std::string_view text);
/// The value of a number in any spelling (`200`, `2e2`, `200.0`, `-1`) if it is whole and fits.
std::optional<std::int64_t> whole_number(std::string_view text);

}  // namespace rehead::codec::json
