#include "format/har_mistaken.h"

#include <algorithm>

#include "base/ascii.h"

namespace rehead::format {
namespace {

constexpr std::string_view kZip = "PK\x03\x04";

/// UTF-16 with a byte order mark, or by the NUL beside its first character.
bool is_utf16(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return true;
  return text.size() > 1 && (text[0] == '\0') != (text[1] == '\0');
}

/// The name of the function that is called with the document (JSONP), or nothing.
std::string_view jsonp_name(std::string_view text) {
  const auto in_name = [](char c) { return ascii::is(c, ascii::kToken) || c == '[' || c == ']'; };
  const auto end = std::ranges::find_if_not(text, in_name);
  const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  return text.substr(name.size()).starts_with('(') ? name : std::string_view();
}

}  // namespace

bool is_wrapped_json(std::string_view start) {
  if (start.starts_with(kZip) || is_utf16(start)) return true;
  const std::size_t open = jsonp_name(start).size() + 1;
  return open > 1 && open < start.size() && (start[open] == '{' || start[open] == '[');
}

Error mistaken_for_har(std::string_view text, bool after_document) {
  const std::string begins = ascii::quoted(text.substr(0, 20));
  const auto error = [](std::string what, std::string hint = {}) {
    return Error{.code = Errc::syntax,
                 .id = "har-none",
                 .what = std::move(what),
                 .hint = std::move(hint)};
  };
  if (after_document) return error("something that is no HAR follows the document: " + begins);
  if (text.starts_with(kZip)) {
    return error("a ZIP archive, not a HAR", "unzip -p FILE har.har | rehead ...");
  }
  if (is_utf16(text)) return error("UTF-16, not UTF-8", "iconv -f UTF-16 -t UTF-8 FILE");
  if (const std::string_view name = jsonp_name(text); !name.empty()) {
    return error(
        "JSONP, not JSON: a call of " + ascii::quoted(name) + " stands around the document",
        "take it off: sed -e '1s/^[^(]*(//' -e '$s/);* *$//' FILE");
  }
  if (text.starts_with('{')) {
    return error("no HAR: an object without \"log\", \"request\" and \"response\"",
                 "a body alone? curl prints the head, too, with -i");
  }
  if (text.starts_with('[')) return error("no HAR: an array whose first element is no object");
  return error("no HAR: begins " + begins);
}

}  // namespace rehead::format
