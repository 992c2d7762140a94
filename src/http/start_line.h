// The first line of a message: RFC 9112 3 (request line) and 4 (status line), with the spellings
// that curl prints for HTTP/2 and HTTP/3 ("HTTP/2 200 ").
#pragma once

#include <optional>
#include <string_view>

namespace rehead::http {

/// Views into the line given.
struct StartLine {
  bool request = false;
  std::string_view version;
  std::string_view method;  // requests
  std::string_view target;  // requests
  unsigned status = 0;      // responses
  std::string_view reason;  // responses; trimmed, may be empty
};

/// True for a version as start lines have it: HTTP/1.x, HTTP/2, HTTP/3, HTTP/2.0, HTTP/3.0.
bool is_version(std::string_view text);

/// A status line without its line end: HTTP/(1.x|2|3) SP+ 3 digits [SP reason].
std::optional<StartLine> parse_status_line(std::string_view line);
/// A request line without its line end: token SP target SP HTTP/(1.x|2|3).
std::optional<StartLine> parse_request_line(std::string_view line);

/// True if some status line, line end included, begins with `text`, or `text` with such a line.
bool may_be_status_line(std::string_view text);

}  // namespace rehead::http
