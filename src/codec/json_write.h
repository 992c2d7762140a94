// JSON (RFC 8259 7) written: strings and numbers appended to a text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rehead::codec::json {

/// Appends `text` (UTF-8) as a string in quotes. `"`, `\` and control bytes are escaped.
void append_string(std::string& out, std::string_view text);
/// The same without quotes: a string may be written in pieces.
void append_escaped(std::string& out, std::string_view text);
/// Appends bytes as a string in quotes whose code points are the bytes, in ASCII: "caf\u00e9".
void append_latin1(std::string& out, std::string_view bytes);
void append_number(std::string& out, std::uint64_t number);

}  // namespace rehead::codec::json
