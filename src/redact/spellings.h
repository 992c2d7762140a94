// The ways in which a value is spelt where it is quoted: percent-encoded in URLs and forms, escaped
// in JSON by several writers, base64 around it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rehead::redact {

/// Every spelling that differs from `value`, each once. `value` itself is not among them.
std::vector<std::string> spellings(std::string_view value);

/// What is certain to stand in the base64 of any bytes that have `value` in them: at three
/// alignments, in both alphabets. Parts shorter than `least` are left out.
std::vector<std::string> base64_parts(std::string_view value, std::size_t least);

}  // namespace rehead::redact
