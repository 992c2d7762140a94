#include "format/http1_body.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "http/field_value.h"
#include "http/start_line.h"

namespace rehead::format {

using http::HeadScanner;

Result<bool> InputBody::wait() {
  if (!told_idle_ && input_->would_block()) {
    told_idle_ = true;
    return false;
  }
  told_idle_ = false;
  if (auto done = input_->fill(); !done) return fail(std::move(done.error()));
  return true;
}

Result<Piece> InputBody::cut(http::Message& message, std::string what) {
  if (skipped_ && !policy_->judge_bodies && !policy_->strict()) {
    message.log->report({.id = "body-cut",
                         .what = std::move(what),
                         .byte = input_->offset(),
                         .line = input_->line(),
                         .message = message.notes.number});
    return Piece{};
  }
  return broken(message, {Errc::syntax, "body-cut", std::move(what)});
}

tl::unexpected<Error> InputBody::broken(const http::Message& message, Error error) {
  failed_ = true;
  error.message = message.notes.number;
  error.byte = input_->offset();
  error.line = input_->line();
  return fail(std::move(error));
}

Result<Piece> LengthBody::pull() {
  while (left_ != 0) {
    const std::size_t there = input_->window().size();
    if (there != 0) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, there));
      left_ -= size;
      return take(size);
    }
    if (input_->at_end()) {
      const std::uint64_t missing = std::exchange(left_, 0);
      auto end = cut(*message_, "the input ends " + std::to_string(missing) +
                                    " bytes before the end of the body");
      if (!end) left_ = missing;
      return end;
    }
    auto waited = wait();
    if (!waited) return fail(std::move(waited.error()));
    if (!*waited) return Piece{Piece::Kind::idle};
  }
  return Piece{};
}

void ChunkedBody::start(http::Message& message, bool lf, bool keep_lf) {
  begin();
  message_ = &message;
  reader_.start(lf);
  rewrite_ends_ = lf && !keep_lf;
  line_end_ = {};
}

Status ChunkedBody::keep_trailer(std::string_view line) {
  const std::size_t fields = message_->headers.size() + message_->trailers.size();
  if (fields >= policy_->limits.max_fields) {
    return fail({Errc::limit, "max-fields",
                 "more than " + std::to_string(policy_->limits.max_fields) + " header fields",
                 "raise it with --max-fields"});
  }
  load_trailer(*message_, line);
  return {};
}

void load_trailer(http::Message& message, std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t colon = line.find(':');
  const std::string_view value = ascii::trim(line.substr(colon + 1));
  const std::string_view kept = message.arena.join({line.substr(0, colon), ": ", value, "\r\n"});
  message.trailers.load({.name_at = kept.data(),
                         .value_at = kept.data() + colon + 2,
                         .name_size = static_cast<std::uint32_t>(colon),
                         .value_size = static_cast<std::uint32_t>(value.size()),
                         .line_size = static_cast<std::uint32_t>(kept.size()),
                         .flags = http::Field::clean});
}

/// RFC 9112 7.1.1 knows blanks before an extension only: those before the line end are not written.
bool ends_in_blank(codec::ChunkReader::Kind kind, std::string_view line) {
  if (kind != codec::ChunkReader::Kind::size_line || !line.ends_with("\r\n")) return false;
  return line.size() > 2 && ascii::is_blank(line[line.size() - 3]);
}

/// Gives what the window holds: as coded, the longest run of valid parts; as content, one run of
/// data.
Result<Piece> ChunkedBody::pull(bool coded) {
  using Kind = codec::ChunkReader::Kind;
  if (!line_end_.empty()) return Piece{Piece::Kind::bytes, std::exchange(line_end_, {})};
  std::size_t at = 0;  // valid parts of the window not yet given out
  while (!reader_.ended()) {
    const auto part = reader_.next(input_->window().substr(at));
    if (!part && at == 0) return broken(*message_, Error(part.error()));
    if (!part) break;
    if (!*part) {
      if (at != 0) break;
      if (input_->at_end()) return cut(*message_, "the input ends inside the chunked body");
      auto waited = wait();
      if (!waited) return fail(std::move(waited.error()));
      if (!*waited) return Piece{Piece::Kind::idle};
      continue;
    }
    const auto [kind, bytes] = **part;
    if (kind == Kind::trailer) {
      if (auto kept = keep_trailer(bytes); !kept) return broken(*message_, std::move(kept.error()));
    }
    if (!coded) {
      if (kind == Kind::data) return take(bytes.size());
      input_->consume(bytes.size());
    } else if (kind == Kind::data || !(rewrite_ends_ || ends_in_blank(kind, bytes))) {
      at += bytes.size();
    } else {
      std::size_t text = at + bytes.find_first_of("\r\n");
      while (kind == Kind::size_line && text != at && ascii::is_blank(bytes[text - at - 1])) --text;
      const Piece run = take(at + bytes.size());
      if (text == 0) return Piece{Piece::Kind::bytes, "\r\n"};
      line_end_ = "\r\n";
      return Piece{Piece::Kind::bytes, run.bytes.substr(0, text)};
    }
  }
  if (at != 0) return take(at);
  return Piece{};
}

void OpenBody::start(http::Message& message, const Rules& rules) {
  begin();
  message_ = &message;
  rules_ = rules;
  safe_ = searched_ = stopped_ = trailer_size_ = 0;
  content_size_ = 0;
  candidate_ = ended_ = false;
  at_line_start_ = at_body_start_ = true;
  announced_.clear();
  if (!rules.peel) return;
  http::for_each_item(message.headers, "Trailer", [&](std::string_view name) {
    if (ascii::is_token(name)) announced_.push_back(name);
  });
}

Piece OpenBody::give(std::size_t size) {
  at_line_start_ = input_->window()[size - 1] == '\n';
  at_body_start_ = false;
  candidate_at_ -= std::min(size, candidate_at_);
  safe_ -= size;
  searched_ -= std::min(size, searched_);
  stopped_ -= std::min(size, stopped_);
  content_size_ += size;
  return take(size);
}

/// Where the request line begins whose version stands at `at`; `at` itself if there is none.
std::size_t OpenBody::request_line_start(std::string_view window, std::size_t at) const {
  if (!rules_.requests || at == 0 || window[at - 1] != ' ') return at;
  const std::size_t lf = window.rfind('\n', at);
  if (lf == std::string_view::npos && !at_line_start_) return at;
  const std::size_t start = lf == std::string_view::npos ? 0 : lf + 1;
  return at - start <= policy_->limits.look_ahead ? start : at;
}

HeadScanner::Answer OpenBody::try_head(std::string_view window, std::size_t at) {
  if (!candidate_) {
    // An earlier candidate failed at stopped_: this one meets the same lines (keeps the search
    // linear).
    if (window.substr(0, stopped_).find('\n', at) != std::string_view::npos) {
      return HeadScanner::Answer::no;
    }
    scanner_.start({.requests = rules_.requests,
                    .strict = !at_body_start_ || at != 0,
                    .lf = rules_.lf,
                    .max_head = policy_->limits.max_head});
  }
  const auto answer = scanner_.scan(window.substr(at), input_->at_end());
  candidate_ = answer == HeadScanner::Answer::more;
  candidate_at_ = at;
  if (answer == HeadScanner::Answer::no) stopped_ = std::max(stopped_, at + scanner_.stopped());
  return answer;
}

/// Moves `safe_` on as far as the window shows bytes that are body.
void OpenBody::search() {
  constexpr std::string_view kMark = "HTTP/";
  const std::string_view window = input_->window();
  if (!rules_.may_split) {
    safe_ = window.size();
    ended_ = input_->at_end();
    return;
  }
  while (!ended_) {
    std::size_t mark = window.find(kMark, searched_);
    if (mark == std::string_view::npos) {
      std::size_t open = std::min(window.size() - searched_, kMark.size() - 1);
      while (open != 0 && !kMark.starts_with(window.substr(window.size() - open))) --open;
      if (input_->at_end()) open = 0;
      searched_ = safe_ = window.size() - open;
      if (rules_.requests && !input_->at_end()) {
        const std::size_t lf = window.rfind('\n');
        const std::size_t line = lf == std::string_view::npos ? 0 : lf + 1;
        if (window.size() - line <= policy_->limits.look_ahead) safe_ = std::min(safe_, line);
      }
      ended_ = input_->at_end();
      return;
    }
    const std::size_t start = request_line_start(window, mark);
    searched_ = mark;
    for (const std::size_t at : {start, mark}) {
      if (candidate_ && at != candidate_at_) continue;
      const auto answer = try_head(window, at);
      if (answer == HeadScanner::Answer::no) continue;
      safe_ = at;
      ended_ = answer == HeadScanner::Answer::yes;
      return;
    }
    searched_ = mark + 1;
  }
}

/// How many bytes of `tail` are content; the announced trailer lines behind them go to the message.
std::size_t OpenBody::peel(std::string_view tail) {
  std::vector<std::string_view> lines;
  std::size_t size = tail.size();
  bool whole = true;
  while (whole && tail.substr(0, size).ends_with("\r\n")) {
    const std::string_view text = tail.substr(0, size - 2);
    const std::size_t lf = text.rfind('\n');
    const std::size_t start = lf == std::string_view::npos ? 0 : lf + 1;
    const std::string_view line = text.substr(start);
    const std::string_view name = line.substr(0, line.find(':'));
    if (line.find_first_of(std::string_view("\0\r", 2)) != std::string_view::npos) break;
    std::size_t glued = std::string_view::npos;  // bytes of body before the name
    for (const std::string_view announced : announced_) {
      if (name.size() == line.size() || name.size() < announced.size()) continue;
      const std::size_t before = name.size() - announced.size();
      if (ascii::equal(name.substr(before), announced)) glued = std::min(glued, before);
    }
    if (glued == std::string_view::npos) break;
    lines.push_back(line.substr(glued));
    whole = glued == 0;
    size = start + glued;
  }
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) load_trailer(*message_, *line);
  return size;
}

Result<Piece> OpenBody::pull(bool coded) {
  while (true) {
    if (!ended_) search();
    const std::size_t kept = rules_.peel && !ended_ ? policy_->limits.look_ahead : 0;
    if (ended_ && rules_.peel) {
      // The tail is the last look_ahead bytes of the body, however it was cut into reads.
      const std::size_t tail = std::min(safe_, policy_->limits.look_ahead);
      const std::size_t before = safe_ - tail;
      const std::size_t content = before + peel(input_->window().substr(before, tail));
      rules_.peel = false;
      trailer_size_ = safe_ - content;
      safe_ = content;
    }
    if (safe_ > kept) return give(safe_ - kept);
    if (ended_) {
      const std::size_t trailers = std::exchange(trailer_size_, 0);
      if (coded && trailers != 0) return take(trailers);
      input_->consume(trailers);
      return Piece{};
    }
    auto waited = wait();
    if (!waited) return fail(std::move(waited.error()));
    if (!*waited) return Piece{Piece::Kind::idle};
  }
}

}  // namespace rehead::format
