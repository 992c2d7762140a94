#include "format/http1_source.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "format/http1_body.h"
#include "format/http1_coding.h"
#include "format/http1_framing.h"
#include "format/http1_gap.h"
#include "http/head_parser.h"
#include "http/start_line.h"

namespace rehead::format {
namespace {

using http::Framing;

class Http1Source final : public Source {
 public:
  explicit Http1Source(SourceSetup setup)
      : policy_(setup.policy),
        log_(setup.log),
        input_(std::move(setup.reader), setup.output),
        parser_(*policy_),
        decision_(*policy_, judge_),
        coding_(*policy_, judge_),
        length_body_(input_, *policy_),
        chunked_body_(input_, *policy_),
        open_body_(input_, *policy_),
        unframe_(*policy_),
        gap_(input_, *policy_, open_body_) {
    exchange_.file = setup.file;
  }

  Result<http::Exchange*> next() override {
    if (!finished_) {
      auto exchange = advance();
      finished_ = !exchange || *exchange == nullptr;
      return exchange;
    }
    return nullptr;
  }

 private:
  Result<http::Exchange*> advance();
  Result<bool> leave_body();
  Result<bool> find_start();
  Status skip_blank_lines();
  Status read_head();
  Status read_on_to_head_end();
  Status decide_framing();
  void set_up_body();
  Status settle_coding();
  Status at(Error error) const;
  std::optional<std::uint64_t> line_behind(std::uint64_t lines) const;

  const http::Policy* policy_;
  Diagnostics* log_;
  Input input_;
  http::HeadParser parser_;
  codec::Judge judge_;
  FramingDecision decision_;
  CodingDecision coding_;
  LengthBody length_body_;
  ChunkedBody chunked_body_;
  OpenBody open_body_;
  Unframe unframe_;
  MessageGap gap_;
  InputBody* in_use_ = nullptr;  // the body of the current message, if it has one
  http::Body body_;
  http::Message message_;
  http::Exchange exchange_;
  http::Exchange separators_;  // in place they belong to the file: handed on as a passage
  std::optional<bool> found_;  // the next head stands here (or none does), they were handed on
  std::uint64_t number_ = 0;
  std::string request_method_;  // of the request right before, else empty
  bool requests_ = false;       // there was a request
  bool open_end_ = false;       // the last body ended at a head or the end of the input
  bool finished_ = false;
  std::string_view head_;  // of the message, in the input
};

/// Adds the message and, where the error has none, the place where the input stands.
Status Http1Source::at(Error error) const {
  if (!error.byte) error.byte = input_.offset();
  if (!error.line) error.line = input_.line();
  error.message = number_;
  return fail(std::move(error));
}

/// The line so many lines behind where the input stands, while they are counted.
std::optional<std::uint64_t> Http1Source::line_behind(std::uint64_t lines) const {
  const auto line = input_.line();
  return line ? std::optional(*line + lines) : std::nullopt;
}

Result<http::Exchange*> Http1Source::advance() {
  if (!found_) {
    auto more = leave_body();
    if (!more) return fail(std::move(more.error()));
    if (*more) more = find_start();
    if (!more) return fail(std::move(more.error()));
    found_ = *more;
    if (policy_->in_place && !gap_.separators().empty()) {
      separators_ = {.file = exchange_.file,
                     .number = number_,
                     .passage = true,
                     .separators = gap_.separators()};
      return &separators_;
    }
  }
  const bool more = *std::exchange(found_, std::nullopt);
  if (!more) return nullptr;
  if (auto done = read_head(); !done) return fail(std::move(done.error()));
  const bool request = message_.kind == http::Kind::request;
  requests_ = requests_ || request;
  if (auto done = decide_framing(); !done) return fail(std::move(done.error()));
  set_up_body();
  if (auto done = settle_coding(); !done) return fail(std::move(done.error()));
  if (!message_.interim()) request_method_ = request ? message_.start.method() : "";
  exchange_.request = request ? &message_ : nullptr;
  exchange_.response = request ? nullptr : &message_;
  return &exchange_;
}

/// Reads what was left of the current body. False: there is nothing behind it.
Result<bool> Http1Source::leave_body() {
  if (number_ != 0 && !message_.notes.head_complete) {
    auto failed =
        at({Errc::syntax, "head-incomplete", "head incomplete: the input ends inside it"});
    return fail(std::move(failed.error()));
  }
  gap_.start(true);
  if (in_use_ == nullptr) return true;
  if (in_use_->failed()) return false;
  in_use_->skip();
  while (true) {
    auto piece = in_use_->pull();
    if (!piece) return fail(std::move(piece.error()));
    if (piece->kind == Piece::Kind::end) break;
  }
  gap_.start(in_use_->at_line_start());
  in_use_ = nullptr;
  return true;
}

/// Stands the input at the next head. False: there is none.
Result<bool> Http1Source::find_start() {
  input_.unpin();
  if (number_ != 0) {
    return open_end_ ? Result<bool>(!input_.window().empty()) : gap_.cross(message_, requests_);
  }
  while (!input_.at_end() && input_.window().size() < 3) {
    if (auto done = input_.fill(); !done) return fail(std::move(done.error()));
  }
  const bool bom = input_.window().starts_with("\xEF\xBB\xBF");
  if (bom) input_.consume(3);
  const std::uint64_t start = input_.offset();
  if (auto done = skip_blank_lines(); !done) return fail(std::move(done.error()));
  if (policy_->strict() && (bom || input_.offset() != start)) {
    Error error{Errc::syntax, "before-head", "bytes before the first head"};
    error.byte = 0;
    error.line = 1;
    auto failed = at(std::move(error));
    return fail(std::move(failed.error()));
  }
  if (!input_.window().empty()) return true;
  const bool piped = exchange_.file == "<stdin>";
  const std::string what =
      piped ? "empty input: did the command before the pipe fail?" : "the file is empty";
  if (policy_->strict() || policy_->empty_fails) {
    return fail({Errc::syntax, "empty-input", what});
  }
  log_->report({.id = "empty-input", .what = what});
  return false;
}

Status Http1Source::skip_blank_lines() {
  while (true) {
    const std::string_view window = input_.window();
    const std::size_t blank = window.find_first_not_of("\r\n");
    if (blank != 0) input_.consume(blank == std::string_view::npos ? window.size() : blank);
    if (!input_.window().empty() || input_.at_end()) return {};
    if (auto done = input_.fill(); !done) return done;
  }
}

Status Http1Source::read_head() {
  message_.clear();
  message_.notes.number = ++number_;
  message_.log = log_;
  message_.notes.offset = input_.offset();
  message_.notes.line = input_.line();
  bool whole = false;
  while (true) {
    auto head = parser_.parse(input_.window(), input_.at_end(), message_);
    if (!head || !head->more) {
      for (Finding finding : parser_.findings()) {
        finding.byte = *finding.byte + input_.offset();
        finding.line = line_behind(*finding.line);
        finding.message = number_;
        log_->report(finding);
      }
      if (!head) {
        Error error = std::move(head.error());
        error.byte = error.byte.value_or(0) + input_.offset();
        error.line = line_behind(error.line.value_or(0));
        return at(std::move(error));
      }
      input_.pin();
      head_ = input_.window().substr(0, head->size);
      input_.consume(head->size, head->lines);
      return {};
    }
    // Once a first line stands there it is judged at once; then nothing is parsed before the end is
    // there.
    if (whole) {
      if (auto done = read_on_to_head_end(); !done) return done;
    } else {
      while (!input_.at_end() && input_.window().find('\n') == std::string_view::npos &&
             input_.window().size() <= policy_->limits.max_head) {
        if (auto done = input_.fill(); !done) return done;
      }
      whole = true;
    }
  }
}

/// Fills the window until an empty line, the end or the limit shows.
Status Http1Source::read_on_to_head_end() {
  std::size_t from = 0;
  while (!input_.at_end() && input_.window().size() <= policy_->limits.max_head) {
    const std::string_view window = input_.window();
    std::size_t lf = window.find('\n', from);
    while (lf != std::string_view::npos) {
      const std::string_view behind = window.substr(lf + 1, 2);
      if (behind.starts_with('\n') || behind == "\r\n") return {};
      from = lf;
      if (behind.size() < 2) break;
      from = lf + 1;
      lf = window.find('\n', from);
    }
    if (lf == std::string_view::npos) from = window.size();
    if (auto done = input_.fill(); !done) return done;
  }
  return {};
}

Status Http1Source::decide_framing() {
  decision_.start(message_,
                  {.request_method = request_method_, .requests = requests_, .head = head_});
  while (true) {
    auto decided = decision_.decide(input_.window(), input_.at_end());
    if (!decided) {
      return at(std::move(decided.error()));
    }
    if (*decided) return {};
    while (!input_.at_end() && input_.window().size() < decision_.needed()) {
      if (auto done = input_.fill(); !done) return done;
    }
  }
}

void Http1Source::set_up_body() {
  ByteSource* coded = nullptr;
  std::optional<std::uint64_t> size;
  switch (message_.notes.framing) {
    case Framing::none:
    case Framing::withheld:
      in_use_ = nullptr;
      open_end_ = message_.notes.framing == Framing::withheld && !message_.notes.head_complete;
      return;
    case Framing::length:
      length_body_.start(message_, message_.notes.declared);
      unframe_.wire.expect_front(message_.notes.declared);
      size = message_.notes.declared;
      coded = in_use_ = &length_body_;
      break;
    case Framing::chunked:
      chunked_body_.start(message_, decision_.lf_chunks(),
                          message_.notes.lf_head && policy_->eol == http::EolMode::keep);
      in_use_ = &chunked_body_;
      coded = &chunked_body_.coded();
      unframe_.wire.expect_chunks();
      break;
    case Framing::close:
    case Framing::decoded:
    case Framing::opaque:
      open_body_.start(message_, {.may_split = decision_.may_split(),
                                  .requests = requests_,
                                  .lf = message_.notes.lf_head,
                                  .peel = decision_.peel_trailers(),
                                  .boundary = decision_.boundary()});
      in_use_ = &open_body_;
      coded = &open_body_.coded();
      unframe_.wire.expect_front(open_body_.content_size());
      break;
  }
  open_end_ = in_use_ == &open_body_;
  body_.start(*coded, *in_use_, size, coded == in_use_ ? nullptr : &unframe_);
  message_.body = &body_;
}

Status Http1Source::settle_coding() {
  if (auto done = coding_.settle(message_, unframe_, input_, decision_.judged()); !done)
    return done;
  if (auto fine = decision_.check_claims(); !fine) return at(std::move(fine.error()));
  return {};
}

}  // namespace

std::unique_ptr<Source> make_http1_source(SourceSetup setup) {
  return std::make_unique<Http1Source>(std::move(setup));
}

}  // namespace rehead::format
