#include "http/start_line.h"

#include <algorithm>

#include "base/ascii.h"

namespace rehead::http {
namespace {

struct Version {
  std::string_view canonical;  // empty: none
  std::size_t size = 0;        // bytes it takes in the text
};

/// The version `text` begins with. Curl takes any case; a minor version above 1 is read as the
/// newest one of that major version (RFC 9110 2.5).
Version version_of(std::string_view text) {
  constexpr std::string_view kMark = "HTTP/";
  if (text.size() < 6 || !ascii::starts_with(text, kMark)) return {};
  const char major = text[5];
  const bool minor = text.size() >= 8 && text[6] == '.' && ascii::is_digit(text[7]);
  if (major < '1' || major > '3' || (major == '1' && !minor)) return {};
  const std::string_view read = text.substr(0, minor ? 8 : 6);
  if (major == '1') return {text[7] == '0' ? "HTTP/1.0" : "HTTP/1.1", read.size()};
  if (minor && text[7] == '0') return {major == '2' ? "HTTP/2.0" : "HTTP/3.0", read.size()};
  return {major == '2' ? "HTTP/2" : "HTTP/3", read.size()};
}

std::size_t blanks(std::string_view text) {
  return std::min(text.find_first_not_of(' '), text.size());
}

}  // namespace

bool is_version(std::string_view text) {
  const Version version = version_of(text);
  return !text.empty() && version.canonical == text;
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
  const Version version = version_of(line);
  const std::string_view whole = line;
  const std::string_view as_read = line.substr(0, version.size);
  line.remove_prefix(version.size);
  const std::size_t gap = blanks(line);
  if (as_read.empty() || gap == 0 || line.size() < gap + 3) return std::nullopt;
  line.remove_prefix(gap);
  StartLine start;
  unsigned status = 0;
  start.set_version(version.canonical);
  for (const char c : line.substr(0, 3)) {
    if (!ascii::is_digit(c)) return std::nullopt;
    status = status * 10 + static_cast<unsigned>(c - '0');
  }
  line.remove_prefix(3);
  if (status < 100 || (!line.empty() && ascii::is_digit(line.front()))) return std::nullopt;
  const bool blank = line.empty() || line.front() == ' ';
  if (line.starts_with(':')) line.remove_prefix(1);
  start.set_status(status);
  start.set_reason(ascii::trim(line));
  const bool canonical = blank && gap == 1 && as_read == version.canonical &&
                         (line.size() < 2 || !ascii::is_blank(line[1]) || start.reason().empty());
  if (canonical) start.read_from(whole);
  return start;
}

std::optional<StartLine> parse_request_line(std::string_view line) {
  const std::size_t last = line.rfind(' ');
  const std::size_t first = line.find(' ');
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view as_read = line.substr(last + 1);
  const Version version = version_of(as_read);
  StartLine start;
  start.set_method(line.substr(0, first));
  start.set_version(version.canonical);
  if (as_read.empty() || version.size != as_read.size() || !ascii::is_token(start.method())) {
    return std::nullopt;
  }
  const std::string_view between = line.substr(first, last + 1 - first);
  std::string_view target = between.substr(blanks(between));
  target = target.substr(0, target.find_last_not_of(' ') + 1);
  if (target.empty()) return std::nullopt;
  for (const char c : target) {
    if (ascii::is_blank(c) || ascii::is(c, ascii::kControl)) return std::nullopt;
  }
  start.set_target(target);
  if (as_read == version.canonical && between.size() == target.size() + 2) start.read_from(line);
  return start;
}

bool may_be_status_line(std::string_view text) {
  constexpr std::string_view kStart = "HTTP/";
  if (text.size() <= kStart.size()) return ascii::starts_with(kStart, text);
  if (!ascii::starts_with(text, kStart) || text[5] < '1' || text[5] > '3') return false;
  text.remove_prefix(6);
  if (text.starts_with('.')) {
    if (text.size() == 1) return true;
    if (!ascii::is_digit(text[1])) return false;
    text.remove_prefix(2);
  }
  if (!text.empty() && text.front() != ' ') return false;
  text.remove_prefix(blanks(text));
  for (std::size_t i = 0; i < text.size() && i < 3; ++i) {
    if (!ascii::is_digit(text[i])) return false;
  }
  return text.size() < 4 || !ascii::is_digit(text[3]);
}

}  // namespace rehead::http
