#include "format/http1_gap.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "http/head_parser.h"
#include "http/start_line.h"

namespace rehead::format {
namespace {

/// A method of RFC 9110 9 or RFC 5789.
bool is_registered(std::string_view method) {
  constexpr std::string_view kMethods[] = {"GET",     "HEAD",    "POST",  "PUT",  "DELETE",
                                           "CONNECT", "OPTIONS", "TRACE", "PATCH"};
  return std::ranges::find(kMethods, method) != std::end(kMethods);
}

}  // namespace

/// Behind a body of known end: line ends that part the messages, then a head or the end; or junk.
Result<bool> MessageGap::cross(http::Message& message, bool requests) {
  message_ = &message;
  requests_ = requests;
  std::size_t size = 0;  // bytes looked over
  unsigned lines = 0;
  bool blanks = false;
  while (true) {
    const std::string_view rest = input_->window().substr(size, 2);
    if ((rest.empty() || rest == "\r") && !input_->at_end()) {
      if (auto done = input_->fill(); !done) return fail(std::move(done.error()));
      continue;
    }
    const bool line_end = rest.starts_with('\n') || rest == "\r\n";
    const bool blank = !rest.empty() && ascii::is_blank(rest.front());
    if ((!line_end && !blank) || size > policy_->limits.look_ahead) break;
    lines += line_end ? 1 : 0;
    blanks = blanks || blank;
    size += rest == "\r\n" ? 2 : 1;
  }
  auto head = head_stands_at(size);
  if (!head) return head;
  const bool more = size < input_->window().size();
  const std::uint64_t byte = input_->offset();
  const auto line = input_->line();
  separators_ = input_->window().substr(0, size);
  input_->consume(size);
  if (more && !*head) {
    if (auto done = skip_junk(); !done) return fail(std::move(done.error()));
    return !input_->window().empty();
  }
  const bool refused = size != 0 && policy_->strict();
  if (!refused && !blanks && lines <= 2) return more;
  constexpr std::string_view kId = "separator";
  std::string what = "line ends that belong to no message";
  const std::uint64_t number = message_->notes.number;
  if (refused) {
    return fail({.code = Errc::syntax,
                 .id = kId,
                 .what = std::move(what),
                 .byte = byte,
                 .line = line,
                 .message = number});
  }
  message_->log->report(
      {.id = kId, .what = std::move(what), .byte = byte, .line = line, .message = number});
  return more;
}

/// `HTTP/`, an input that ends within it, a status line in any spelling, or a request line. Where
/// the stream has shown no request, what looks like one counts only as a whole head right behind
/// the body, of a known method or at the start of a line: `T / HTTP/1.1` is the tail of a body with
/// a wrong length.
Result<bool> MessageGap::head_stands_at(std::size_t at) {
  constexpr std::string_view kMark = "HTTP/";
  http::HeadScanner scanner;
  scanner.start({.requests = true, .max_head = policy_->limits.max_head});
  while (true) {
    const std::string_view rest = input_->window().substr(at);
    if (rest.starts_with(kMark)) return true;
    if (kMark.starts_with(rest)) {
      if (input_->at_end()) return true;
    } else if (const std::size_t lf = rest.find('\n'); lf != std::string_view::npos) {
      const std::string_view line =
          rest.substr(0, rest.substr(0, lf).ends_with('\r') ? lf - 1 : lf);
      if (http::parse_status_line(line)) return true;
      const auto start = http::parse_request_line(line);
      if (!start) return false;
      if (requests_) return true;
      if (at != 0 || !(line_start_ || is_registered(start->method()))) return false;
      const auto answer = scanner.scan(rest, input_->at_end());
      if (answer != http::HeadScanner::Answer::more) {
        return answer == http::HeadScanner::Answer::yes;
      }
    } else if (input_->at_end() || rest.size() > policy_->limits.look_ahead) {
      return false;
    }
    if (auto done = input_->fill(); !done) return fail(std::move(done.error()));
  }
}

/// What stands behind a body and is no head: an error that says how to keep or to lose it.
Status MessageGap::skip_junk() {
  constexpr std::size_t kShown = 12;
  const bool refused = policy_->strict() || policy_->in_place;
  const bool warned = !refused && (policy_->lenient() || !policy_->judge_bodies);
  const bool undeclared =
      message_->kind == http::Kind::request && message_->notes.framing == http::Framing::none;
  Finding junk{.level = warned ? Level::warning : Level::error,
               .id = "junk",
               .what = {},
               .byte = input_->offset(),
               .line = input_->line(),
               .message = message_->notes.number};
  std::string begins;
  std::uint64_t size = 0;
  open_body_->start(*message_, {.may_split = policy_->split == http::SplitMode::automatic,
                                .requests = requests_,
                                .lf = message_->notes.lf_head});
  while (true) {
    auto piece = open_body_->pull();
    if (!piece) return fail(std::move(piece.error()));
    if (piece->kind == Piece::Kind::end) break;
    size += piece->bytes.size();
    begins += piece->bytes.substr(0, kShown - std::min(kShown, begins.size()));
  }
  junk.what = std::to_string(size) + " bytes behind " +
              (undeclared ? "a request that declares no body" : "the body") +
              (warned ? " skipped" : "") + " (begin " + ascii::quoted(begins) + ")";
  if (begins.starts_with("###")) {
    junk.hint = http::kScriptHint;
  } else if (!warned && policy_->in_place) {
    junk.hint = edited_hint(*policy_);
  } else if (!warned) {
    junk.hint = undeclared
                    ? "--framing eof takes them as the body, --lenient skips them"
                    : "--framing eof takes them into the body, --lenient skips them, curl -w "
                      "'%{stderr}...' keeps its text away";
  }
  if (!refused) {
    message_->log->report(junk);
    return {};
  }
  return fail({.code = Errc::syntax,
               .id = junk.id,
               .what = junk.what,
               .hint = junk.hint,
               .byte = junk.byte,
               .line = junk.line,
               .message = message_->notes.number});
}

}  // namespace rehead::format
