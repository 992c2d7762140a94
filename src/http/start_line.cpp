#include "http/start_line.h"

#include "base/ascii.h"

namespace rehead::http {
namespace {

/// Length of the version `text` begins with: "HTTP/1.x", "HTTP/2", "HTTP/3" (also "HTTP/2.0"); 0 =
/// none.
std::size_t version_size(std::string_view text) {
  if (!text.starts_with("HTTP/") || text.size() < 6) return 0;
  const char major = text[5];
  const bool minor = text.size() >= 8 && text[6] == '.' && ascii::is_digit(text[7]);
  if (major == '1') return minor ? 8 : 0;
  if (major != '2' && major != '3') return 0;
  return minor ? 8 : 6;
}

}  // namespace

bool is_version(std::string_view text) {
  const std::size_t size = version_size(text);
  return size != 0 && size == text.size();
}

StartLine StartLine::kept_in(Arena& arena) const {
  StartLine copy = *this;
  for (std::string_view* text :
       {&copy.as_read_, &copy.version_, &copy.method_, &copy.target_, &copy.reason_}) {
    *text = arena.keep(*text);
  }
  return copy;
}

std::optional<StartLine> parse_status_line(std::string_view line) {
  const std::size_t size = version_size(line);
  if (size == 0 || line.size() <= size || line[size] != ' ') return std::nullopt;
  StartLine start;
  unsigned status = 0;
  start.set_version(line.substr(0, size));
  line.remove_prefix(size);
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  if (line.size() < 3) return std::nullopt;
  for (const char c : line.substr(0, 3)) {
    if (!ascii::is_digit(c)) return std::nullopt;
    status = status * 10 + static_cast<unsigned>(c - '0');
  }
  if (status < 100) return std::nullopt;
  line.remove_prefix(3);
  if (!line.empty() && line.front() != ' ') return std::nullopt;
  start.set_status(status);
  start.set_reason(ascii::trim(line));
  return start;
}

std::optional<StartLine> parse_request_line(std::string_view line) {
  const std::size_t last = line.rfind(' ');
  const std::size_t first = line.find(' ');
  if (first == std::string_view::npos || last == first) return std::nullopt;
  StartLine start;
  start.set_method(line.substr(0, first));
  start.set_target(line.substr(first + 1, last - first - 1));
  start.set_version(line.substr(last + 1));
  if (!is_version(start.version()) || !ascii::is_token(start.method())) return std::nullopt;
  for (const char c : start.target()) {
    if (c == ' ' || ascii::is(c, ascii::kControl)) return std::nullopt;
  }
  return start;
}

bool may_be_status_line(std::string_view text) {
  constexpr std::string_view kStart = "HTTP/";
  if (text.size() <= kStart.size()) return kStart.starts_with(text);
  if (!text.starts_with(kStart) || text[5] < '1' || text[5] > '3') return false;
  text.remove_prefix(6);
  if (text.starts_with('.')) {
    if (text.size() == 1) return true;
    if (!ascii::is_digit(text[1])) return false;
    text.remove_prefix(2);
  }
  if (!text.empty() && text.front() != ' ') return false;
  while (text.starts_with(' ')) text.remove_prefix(1);
  for (std::size_t i = 0; i < text.size() && i < 3; ++i) {
    if (!ascii::is_digit(text[i])) return false;
  }
  return text.size() < 4 || text[3] == ' ' || text[3] == '\r' || text[3] == '\n';
}

}  // namespace rehead::http
