#include "http/head_scanner.h"

#include <algorithm>

#include "base/ascii.h"
#include "http/start_line.h"

namespace rehead::http {

constexpr std::size_t kStartLine = 8192;  // RFC 9112 3: at least 8000 bytes are to be read

bool HeadScanner::fits(std::string_view line) const {
  if (lines_ == 0) {
    auto start = parse_status_line(line);
    if (!start && rules_.requests) start = parse_request_line(line);
    return start && !(rules_.strict && start->as_read().empty());
  }
  if (rules_.strict && line.find('\0') != std::string_view::npos) return false;
  if (ascii::is_blank(line.front())) return lines_ > 1;  // obs-fold, RFC 9112 5.2
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  const std::string_view name = line.substr(0, colon);
  return ascii::is_token(rules_.strict ? name : ascii::trim(name));
}

HeadScanner::Answer HeadScanner::ended(std::string_view rest) const {
  // $(...) strips the last LF: the input may end in the CR of the empty line or in a field line.
  if (lines_ == 0 || rules_.strict) return Answer::no;
  if (rest == "\r") return Answer::yes;
  const bool cut_line = !rest.empty() && !crlf_ && rest.back() != '\r';
  return cut_line && fits(rest) ? Answer::yes : Answer::no;
}

HeadScanner::Answer HeadScanner::scan(std::string_view window, bool at_end) {
  if (lines_ == 0 && !rules_.requests && !may_be_status_line(window)) return Answer::no;
  while (true) {
    // In a body a long line full of start lines must not be searched anew for each of them.
    const bool in_start_line = rules_.strict && lines_ == 0;
    const std::size_t limit =
        in_start_line ? std::min(kStartLine, rules_.max_head) : rules_.max_head;
    const std::string_view rest = window.substr(at_);
    const std::size_t lf = rest.substr(0, limit).find('\n', searched_ - at_);
    if (lf == std::string_view::npos) {
      searched_ = window.size();
      if (window.size() > limit) return Answer::no;
      if (!at_end) return Answer::more;
      return ended(rest);
    }
    std::string_view line = rest.substr(0, lf);
    const bool crlf = line.ends_with('\r');
    if (crlf) line.remove_suffix(1);
    if (rules_.strict && crlf == rules_.lf) {
      at_ += lf + 1;
      return Answer::no;
    }
    if (at_ + lf + 1 > limit) return Answer::no;
    if (line.empty()) return lines_ > 0 ? Answer::yes : Answer::no;
    if (!fits(line)) return Answer::no;
    crlf_ = crlf_ || crlf;
    ++lines_;
    at_ += lf + 1;
    searched_ = at_;
  }
}

}  // namespace rehead::http
