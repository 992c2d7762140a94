#include "format/http1_framing.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "http/coding.h"
#include "http/field_value.h"

namespace rehead::format {

using http::Coding;
using http::Framing;
using http::FramingMode;
using http::HeadScanner;
using Answer = http::HeadScanner::Answer;

void FramingDecision::start(http::Message& message, const Stream& stream) {
  *this = FramingDecision(*policy_, *judge_);
  message_ = &message;
  stream_ = stream;
  transfer_ = http::transfer_codings(message.headers);
  auto length = http::content_length(message.headers);
  if (length) {
    length_ = *length;
  } else {
    length_error_ = length.error();
  }
  message.notes.codings = http::content_codings(message.headers);
  by_curl_ = message.kind == http::Kind::response && !message.notes.codings.empty() &&
             std::ranges::find(message.notes.codings, Coding::other) == message.notes.codings.end();
  look_ahead_ = codec::Judge::look_ahead(message.notes.codings);
  const std::string_view type = http::media_type(message.headers);
  saved_message_ = ascii::equal(type, "message/http") || ascii::equal(type, "application/http");
  boundary_ = http::multipart_boundary(message.headers);
  at_body_.start({.requests = stream.requests, .max_head = policy_->limits.max_head});
  at_boundary_.start({.requests = true, .max_head = policy_->limits.max_head});
}

Result<bool> FramingDecision::decide(std::string_view window, bool at_end) {
  return decide_framing(window, at_end);
}

Status FramingDecision::check_claims() const {
  const http::Message& message = *message_;
  if ((policy_->strict() || policy_->in_place) && message.start.status() == 205 &&
      message.notes.framing == Framing::length && message.notes.declared != 0) {
    return refused("body-205", "a 205 with a body", "Content-Length");
  }
  if (!policy_->strict()) return {};
  if (message.notes.transfer_label_false) {
    return refused("transfer-encoding-false",
                   "Transfer-Encoding says chunked but the body is not chunked",
                   "Transfer-Encoding");
  }
  if (message.notes.coding_label_false) {
    return refused("content-encoding-false",
                   "Content-Encoding names a coding but the body is not coded", "Content-Encoding");
  }
  if (message.notes.framing != Framing::none || message.start.status() == 304) return {};
  for (const std::string_view name : {"Content-Length", "Transfer-Encoding"}) {
    if (message.kind == http::Kind::request || message.headers.find(name) == nullptr) continue;
    return refused("framing-without-body",
                   std::string(name) + " on a " + std::to_string(message.start.status()), name);
  }
  return {};
}

bool FramingDecision::is(Framing framing) {
  message_->notes.framing = framing;
  if (framing == Framing::close || framing == Framing::decoded) {
    may_split_ = !saved_message_ && policy_->split == http::SplitMode::automatic;
  }
  return true;
}

bool FramingDecision::more(std::size_t size) {
  needed_ = size;
  return false;
}

Result<bool> FramingDecision::decide_framing(std::string_view window, bool at_end) {
  http::Message& message = *message_;
  if (!message.notes.head_complete) return is(Framing::withheld);
  const bool response = message.kind == http::Kind::response;
  if (response) {
    // RFC 9112 6.3, points 1 and 2.
    if (message.start.status() == 101) {
      if (window.empty() && !at_end && is_h2c()) return more(1);
      const Answer head = is_h2c() ? head_at(at_body_, window, 0, at_end) : Answer::no;
      if (head == Answer::more) return false;
      return is(head == Answer::yes ? Framing::none : Framing::opaque);
    }
    if (message.interim() || message.start.status() == 204 || message.start.status() == 304) {
      if (message.start.status() == 304 && length_error_ && !policy_->lenient()) {
        return refused(length_error_->id, length_error_->what, "Content-Length");
      }
      return is(Framing::none);
    }
    if (stream_.request_method == "HEAD") return is(Framing::withheld);
    if (stream_.request_method == "CONNECT" && message.start.status() < 300)
      return is(Framing::none);
  }
  if (!response && transfer_.any && !transfer_.chunked) {
    // RFC 9112 6.3: where such a request ends cannot be known.
    return refused("transfer-encoding", "a request whose Transfer-Encoding is not chunked",
                   "Transfer-Encoding");
  }
  if (policy_->strict() &&
      (transfer_.odd || (transfer_.any && message.start.version() == "HTTP/1.0"))) {
    return refused("transfer-encoding",
                   "Transfer-Encoding other than chunked, at the end, in HTTP/1.1",
                   "Transfer-Encoding");
  }
  if (transfer_.any && (length_ || length_error_)) {
    constexpr std::string_view kId = "length-and-chunked";
    if (policy_->strict()) {
      return refused(kId, "both Content-Length and Transfer-Encoding", "Content-Length");
    }
    tell(kId, "Content-Length beside Transfer-Encoding removed", "Content-Length");
    message.notes.length_label_false = true;
    length_.reset();
    length_error_.reset();
  }
  if (transfer_.chunked) return by_chunks(window, at_end);
  if (length_error_ && policy_->framing != FramingMode::eof) {
    if (!policy_->lenient()) {
      return refused(length_error_->id, length_error_->what, "Content-Length",
                     "--lenient drops it and reads to the next message");
    }
    tell(length_error_->id, length_error_->what + "; dropped, reading to the next message",
         "Content-Length");
    message.notes.length_label_false = true;
    return is(Framing::decoded);
  }
  if (policy_->framing == FramingMode::eof && (length_ || length_error_)) {
    message.notes.length_label_false = true;
    return is(Framing::decoded);
  }
  if (length_) return by_length(window, at_end);
  if (!response) {
    if (policy_->framing != FramingMode::eof) return is(Framing::none);
    const Answer next = boundary(window, 0, at_end);
    return next == Answer::more ? false
                                : is(next == Answer::yes ? Framing::none : Framing::decoded);
  }
  // HTTP/2 and HTTP/3 have trailers without chunks; curl prints them behind the body all the same.
  peel_trailers_ = message.start.version()[5] != '1' && message.headers.find("Trailer") != nullptr;
  return is(Framing::close);
}

/// The place of the last field of that name, if it leaves as it came.
FramingDecision::Spot FramingDecision::spot(std::string_view name) const {
  const std::string_view head = stream_.head;
  const char* at = head.data();
  message_->headers.for_each(name, [&](const http::Field& field) { at = field.name_at; });
  // A field that was mended stands in the arena.
  const std::less<> less;
  const bool in_head = !less(at, head.data()) && less(at, head.data() + head.size());
  const std::string_view before =
      head.substr(0, in_head ? static_cast<std::size_t>(at - head.data()) : 0);
  Spot spot{message_->notes.offset + before.size(), message_->notes.line};
  if (spot.line) *spot.line += count(before, '\n');
  return spot;
}

tl::unexpected<Error> FramingDecision::refused(std::string_view id, std::string what,
                                               std::string_view name, std::string hint) const {
  const Spot place = spot(name);
  return fail({.code = Errc::syntax,
               .id = id,
               .what = std::move(what),
               .hint = std::move(hint),
               .byte = place.byte,
               .line = place.line});
}

void FramingDecision::tell(std::string_view id, std::string what, std::string_view name) const {
  const Spot place = spot(name);
  message_->log->report({.id = id,
                         .what = std::move(what),
                         .byte = place.byte,
                         .line = place.line,
                         .message = message_->notes.number});
}

Answer FramingDecision::head_at(HeadScanner& scanner, std::string_view window, std::size_t at,
                                bool at_end) {
  if (policy_->split == http::SplitMode::never || window.size() <= at) return Answer::no;
  const Answer answer = scanner.scan(window.substr(at), at_end);
  if (answer == Answer::more) more(window.size() + 1);
  return answer;
}

/// A head or the end of the input at `at`, or behind one or two line ends there.
Answer FramingDecision::boundary(std::string_view window, std::size_t at, bool at_end) {
  const auto undecided = [&](std::size_t size) {
    more(size);
    return Answer::more;
  };
  if (window.size() < at) return at_end ? Answer::no : undecided(at + 1);
  for (int blank_lines = 0; blank_lines < 2; ++blank_lines) {
    const std::string_view rest = window.substr(at, 2);
    if (!at_end && (rest.empty() || rest == "\r")) return undecided(window.size() + 1);
    if (rest.starts_with('\n')) {
      at += 1;
    } else if (rest == "\r\n") {
      at += 2;
    }
  }
  if (window.size() == at) return at_end ? Answer::yes : undecided(at + 1);
  return head_at(at_boundary_, window, at, at_end);
}

/// RFC 7540 3.2: curl prints what follows as HTTP/2 heads.
bool FramingDecision::is_h2c() const {
  return http::contains_token(message_->headers, "Upgrade", "h2c");
}

/// A head stands where a body of `size` bytes should begin: the body was withheld, or looks like
/// one.
bool FramingDecision::by_length_before_head(std::string_view window, std::size_t size,
                                            bool at_end) {
  const bool near = *length_ <= policy_->limits.look_ahead;
  const auto look = [&] { return near ? boundary(window, size, at_end) : Answer::no; };
  if (stream_.requests) {  // `moveGET / HTTP/1.1` is what a missing separator looks like
    const Answer there = look();
    if (there == Answer::more) return false;
    if (there == Answer::yes) return is(Framing::length);
  }
  const unsigned status = message_->start.status();
  const bool redirect =
      status >= 300 && status < 400 && message_->headers.find("Location") != nullptr;
  if (redirect || status == 401 || status == 407) return is(Framing::withheld);
  if (saved_message_) return is(Framing::length);
  // A list of heads is read back as that list; only a plain text may be a saved message.
  const std::string_view type = http::media_type(message_->headers);
  if (!message_->notes.codings.empty() || !(type.empty() || ascii::equal(type, "text/plain") ||
                                            ascii::equal(type, "application/octet-stream"))) {
    return is(Framing::withheld);
  }
  const Answer there = look();
  return there == Answer::more ? false
                               : is(there == Answer::yes ? Framing::length : Framing::withheld);
}

Result<bool> FramingDecision::by_length(std::string_view window, bool at_end) {
  const std::size_t look_ahead = policy_->limits.look_ahead;
  message_->notes.declared = *length_;
  const bool request = message_->kind == http::Kind::request;
  if (*length_ == 0 || request || policy_->framing == FramingMode::wire) {
    return is(Framing::length);
  }
  if (window.empty()) return at_end ? is(Framing::withheld) : more(1);
  const bool near = *length_ <= look_ahead;
  const auto size = static_cast<std::size_t>(near ? *length_ : look_ahead);
  const Answer head = head_at(at_body_, window, 0, at_end);
  if (head == Answer::more) return false;
  if (head == Answer::yes) return by_length_before_head(window, size, at_end);
  return by_coding(window, at_end);
}

/// curl decodes all codings or none: a length over bytes that are coded, or that it could not have
/// decoded, is the wire's.
Result<bool> FramingDecision::by_coding(std::string_view window, bool at_end) {
  http::Message& message = *message_;
  if (!by_curl_) return is(Framing::length);
  const auto first = static_cast<std::size_t>(std::min<std::uint64_t>(*length_, look_ahead_));
  const std::string_view start = window.substr(0, first);
  if (!judge_->settle(message, start, start.size() == *length_ || at_end)) return more(first);
  judged_ = true;
  const bool decoded = message.notes.codings.empty() && message.notes.coding_label_false;
  if (!decoded) return is(Framing::length);
  if (*length_ <= policy_->limits.look_ahead) {
    const Answer there = boundary(window, static_cast<std::size_t>(*length_), at_end);
    if (there == Answer::more) return false;
    if (there == Answer::yes) return is(Framing::length);
  }
  message.notes.length_label_false = true;
  return is(Framing::decoded);
}

}  // namespace rehead::format
