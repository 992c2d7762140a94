#include "format/http1_body.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "http/field_value.h"
#include "http/framing.h"
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

Result<Piece> InputBody::cut(http::Message& message, std::string what, std::string hint) {
  if (skipped_ && !policy_->judge_bodies && !policy_->strict()) {
    message.log->report({.id = "body-cut",
                         .what = std::move(what),
                         .byte = input_->offset(),
                         .line = input_->line(),
                         .message = message.notes.number});
    return Piece{};
  }
  return broken(message, {Errc::syntax, "body-cut", std::move(what), std::move(hint)});
}

tl::unexpected<Error> InputBody::broken(const http::Message& message, Error error) {
  failed_ = true;
  error.message = message.notes.number;
  error.byte = input_->offset();
  error.line = input_->line();
  return fail(std::move(error));
}

std::string edited_hint(const http::Policy& policy) {
  return policy.in_place ? "if the body was edited: rehead -I --framing eof FILE"
                         : "if the body was edited: --framing eof takes it as it is";
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
      auto end =
          cut(*message_,
              "the input ends " + std::to_string(missing) + " bytes before the end of the body",
              edited_hint(*policy_));
      if (!end) left_ = missing;
      return end;
    }
    auto waited = wait();
    if (!waited) return fail(std::move(waited.error()));
    if (!*waited) return Piece{Piece::Kind::idle};
  }
  return Piece{};
}

void LengthBody::move_to(ByteSink& sink) {
  if (!large_ || !input_->window().empty()) return;
  // Its last byte is looked at: what follows may have to begin a line.
  while (left_ > kWorthMoving) {
    const std::uint64_t moved = input_->move(left_ - 1, sink);
    if (moved == 0) return;
    left_ -= moved;
  }
}

void ChunkedBody::start(http::Message& message, bool lf, bool keep_lf) {
  begin();
  message_ = &message;
  reader_.start(lf);
  rewrite_ends_ = lf && !keep_lf;
  line_waits_ = false;
}

Result<bool> ChunkedBody::keep_trailer(std::string_view line) {
  const std::size_t fields = message_->headers.size() + message_->trailers.size();
  if (fields >= policy_->limits.max_fields) {
    return fail({Errc::limit, "max-fields",
                 "more than " + std::to_string(policy_->limits.max_fields) + " header fields",
                 "raise it with --max-fields"});
  }
  const bool loaded = load_trailer(*message_, line);
  if (loaded || !policy_->strict()) return loaded;
  return fail({Errc::syntax, "trailer-framing", "a field that frames the message among trailers"});
}

bool load_trailer(http::Message& message, std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t colon = line.find(':');
  if (const std::string_view name = line.substr(0, colon); !http::may_be_trailer(name)) {
    message.log->report({.id = "trailer-framing",
                         .what = std::string(name) + " among the trailers left out",
                         .message = message.notes.number});
    return false;
  }
  const std::string_view value = ascii::trim(line.substr(colon + 1));
  const std::string_view kept = message.arena.join({line.substr(0, colon), ": ", value, "\r\n"});
  message.trailers.load({.name_at = kept.data(),
                         .value_at = kept.data() + colon + 2,
                         .name_size = static_cast<std::uint32_t>(colon),
                         .value_size = static_cast<std::uint32_t>(value.size()),
                         .line_size = static_cast<std::uint32_t>(kept.size()),
                         .flags = http::Field::clean});
  return true;
}

/// True if a line of the chunks leaves as `line_` instead of as it came.
bool ChunkedBody::respell(const codec::ChunkReader::Part& part, bool left_out) {
  using Kind = codec::ChunkReader::Kind;
  const std::string_view text = part.bytes.substr(0, part.bytes.find_last_not_of("\r\n") + 1);
  line_.clear();
  if (part.kind == Kind::data) return false;
  if (part.kind == Kind::size_line) {
    if (auto canonical = codec::canonical_chunk_line(text)) {
      if (canonical->find(';') == std::string::npos && text.find(';') != std::string_view::npos) {
        message_->log->report({.id = "chunk-extension",
                               .what = "chunk extensions that are none left out",
                               .byte = input_->offset(),
                               .message = message_->notes.number});
      }
      line_ = *canonical + "\r\n";
      return true;
    }
  }
  if (left_out) return true;
  if (rewrite_ends_) line_.append(text).append("\r\n");
  return rewrite_ends_;
}

tl::unexpected<Error> ChunkedBody::broken_chunks(Error error) {
  const bool curl = message_->kind == http::Kind::response && error.code == Errc::syntax;
  if (curl && error.hint.empty() && error.id.starts_with("chunk")) error.hint = kCurlHint;
  return broken(*message_, std::move(error));
}

/// Gives what the window holds: as coded, the longest run of valid parts; as content, one run of
/// data.
Result<Piece> ChunkedBody::pull(bool coded) {
  using Kind = codec::ChunkReader::Kind;
  if (std::exchange(line_waits_, false)) return Piece{Piece::Kind::bytes, line_};
  std::size_t at = 0;  // valid parts of the window not yet given out
  while (!reader_.ended()) {
    const auto part = reader_.next(input_->window().substr(at));
    if (!part && at == 0) return broken_chunks(part.error());
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
    bool left_out = false;
    if (kind == Kind::trailer) {
      auto kept = keep_trailer(bytes);
      if (!kept) return broken_chunks(std::move(kept.error()));
      left_out = !*kept;
    }
    if (!coded) {
      if (kind == Kind::data) return take(bytes.size());
      consume(bytes.size());
    } else if (!respell(**part, left_out)) {
      at += bytes.size();
    } else {
      const std::string_view run = take(at + bytes.size()).bytes.substr(0, std::exchange(at, 0));
      line_waits_ = !line_.empty() && !run.empty();
      if (!run.empty()) return Piece{Piece::Kind::bytes, run};
      if (!line_.empty()) return Piece{Piece::Kind::bytes, line_};
    }
  }
  if (at != 0) return take(at);
  return Piece{};
}

void OpenBody::start(http::Message& message, const Rules& rules) {
  begin();
  message_ = &message;
  rules_ = rules;
  safe_ = searched_ = stopped_ = floor_ = trailer_size_ = 0;
  content_size_ = 0;
  candidate_ = ended_ = at_floor_ = false;
  at_body_start_ = true;
  closing_.clear();
  if (!rules.boundary.empty()) closing_.append("--").append(rules.boundary).append("--");
  announced_.clear();
  if (!rules.peel) return;
  http::for_each_item(message.headers, "Trailer", [&](std::string_view name) {
    if (ascii::is_token(name)) announced_.push_back(name);
  });
  std::ranges::sort(announced_, ascii::before);
}

Piece OpenBody::give(std::size_t size) {
  at_body_start_ = false;
  at_floor_ = floor_ != 0 && floor_ == size;
  floor_ -= std::min(size, floor_);
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
  const bool bounded = at_line_start() || at_floor_ || floor_ != 0;
  if (lf == std::string_view::npos && !bounded) return at;
  const std::size_t start = std::max(lf == std::string_view::npos ? 0 : lf + 1, floor_);
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

/// A head at the very start, in any spelling that curl takes. True: the search is at an end or
/// waits.
bool OpenBody::search_start(std::string_view window) {
  if (!at_body_start_ || searched_ != 0) return false;
  if (!http::may_be_status_line(window)) {
    candidate_ = false;
    return false;
  }
  const auto answer = try_head(window, 0);
  safe_ = 0;
  ended_ = answer == HeadScanner::Answer::yes;
  return answer != HeadScanner::Answer::no;
}

/// Looks for the closing delimiter of a multipart body, at the start of a line. True: it is still
/// to come, the search waits.
bool OpenBody::search_closing(std::string_view window) {
  if (closing_.empty()) return false;
  std::size_t at = searched_;
  while ((at = window.find(closing_, at)) != std::string_view::npos) {
    if (at == 0 ? at_line_start() : window[at - 1] == '\n') {
      searched_ = floor_ = at + closing_.size();
      closing_.clear();
      return false;
    }
    ++at;
  }
  safe_ = window.size();
  ended_ = input_->at_end();
  const std::size_t lf = window.rfind('\n');
  const std::size_t line = lf == std::string_view::npos ? 0 : lf + 1;
  const bool open = lf != std::string_view::npos || at_line_start();
  if (!ended_ && open && closing_.starts_with(window.substr(line))) safe_ = line;
  searched_ = safe_;
  return true;
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
  if (search_start(window) || search_closing(window)) return;
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

bool OpenBody::is_announced(std::string_view name) const {
  return std::ranges::binary_search(announced_, name, ascii::before);
}

/// Where in `line` a trailer begins: the last announced name before a colon, of those that end at
/// one colon the longest. npos: none.
std::size_t OpenBody::trailer_in(std::string_view line) const {
  std::size_t colon = line.size();
  while (colon != 0 && (colon = line.rfind(':', colon - 1)) != std::string_view::npos) {
    std::size_t found = std::string_view::npos;
    for (std::size_t at = colon; at != 0 && ascii::is(line[at - 1], ascii::kToken);) {
      --at;
      if (is_announced(line.substr(at, colon - at))) found = at;
    }
    if (found != std::string_view::npos) return found;
  }
  return std::string_view::npos;
}

/// How many bytes of `tail` are content; the announced trailer lines behind them go to the message.
/// No line end parts the first of them from the content.
std::size_t OpenBody::peel(std::string_view tail) {
  constexpr std::string_view kNever("\0\r", 2);
  std::vector<std::string_view> lines;
  std::size_t size = tail.size();
  bool whole = true;
  while (whole && tail.substr(0, size).ends_with("\r\n")) {
    const std::string_view text = tail.substr(0, size - 2);
    const std::size_t lf = text.rfind('\n');
    const std::size_t start = lf == std::string_view::npos ? 0 : lf + 1;
    const std::string_view line = text.substr(start);
    const std::string_view first = line.substr(0, line.find(':'));
    whole = first.size() != line.size() && is_announced(first);
    const std::size_t glued = whole ? 0 : trailer_in(line);
    if (glued == std::string_view::npos) break;
    if (line.find_first_of(kNever, glued) != std::string_view::npos) break;
    lines.push_back(line.substr(glued));
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
      consume(trailers);
      return Piece{};
    }
    auto waited = wait();
    if (!waited) return fail(std::move(waited.error()));
    if (!*waited) return Piece{Piece::Kind::idle};
  }
}

}  // namespace rehead::format
