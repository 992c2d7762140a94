// The short way through headers[]: nearly every header is spelt {"name": "...", "value": "..."}, in
// either order, and nothing else stands in it. Those are found with a few compares of 16 bytes; all
// others are left to the JSON cursor.
#pragma once

#include <cstddef>
#include <string_view>

#include "format/har_entry.h"

namespace rehead::format {

struct PlainHeader {
  HarHeader spans;
  bool escaped = false;  // the value holds escapes; the name never does
};

/// Reads the header that begins at `at`. False: it is spelt in another way, or broken, or its value
/// holds a control byte.
bool read_plain_header(std::string_view text, std::size_t at, PlainHeader& header);

/// Where the next byte that is not white space stands; the size of `text` if there is none.
std::size_t past_json_blanks(std::string_view text, std::size_t at);

}  // namespace rehead::format
