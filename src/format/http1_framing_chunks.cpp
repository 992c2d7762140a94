// Is a body whose head says chunked on the wire, withheld, or already decoded?
// In: the window at the start of the body. RFC 9112 7.1.
#include <algorithm>

#include "base/ascii.h"
#include "codec/chunked.h"
#include "format/http1_body.h"
#include "format/http1_framing.h"

namespace rehead::format {

using http::Framing;
using http::FramingMode;
using Answer = http::HeadScanner::Answer;

Result<bool> FramingDecision::by_chunks(std::string_view window, bool at_end) {
  const bool request = message_->kind == http::Kind::request;
  if (policy_->framing == FramingMode::wire) return is(Framing::chunked);
  if (window.empty()) {
    if (!at_end) return more(1);
    return is(request ? Framing::chunked : Framing::withheld);
  }
  if (request || policy_->framing != FramingMode::curl) {
    auto chunks = first_chunk(window, at_end);
    if (!chunks) return fail(std::move(chunks.error()));
    if (*chunks == Chunks::more) return false;
    // Nobody takes the chunks off a request: what are none is an error of the body.
    if (request || *chunks == Chunks::wire) return is(Framing::chunked);
  }
  const Answer head = saved_message_ ? Answer::no : head_at(at_body_, window, 0, at_end);
  if (head == Answer::more) return false;
  if (head == Answer::yes) return is(Framing::withheld);
  message_->notes.transfer_label_false = true;
  peel_trailers_ = message_->headers.find("Trailer") != nullptr;
  return is(Framing::decoded);
}

/// `HEX SP HEX`, `0xHEX`, 17 and more digits: refused rather than taken for text, since others may
/// read it as a size.
bool is_nearly_chunk_size(std::string_view line) {
  line = ascii::trim(line);
  if (line.starts_with("0x") || line.starts_with("0X")) line.remove_prefix(2);
  bool hex = false;
  for (const char c : line) {
    if (!ascii::is(c, ascii::kHex) && !ascii::is_blank(c)) return false;
    hex = ascii::is(c, ascii::kHex);
  }
  return hex;
}

Result<FramingDecision::Chunks> FramingDecision::first_chunk(std::string_view window, bool at_end) {
  const std::size_t lf = window.substr(0, policy_->limits.look_ahead).find('\n');
  const auto undecided = [&](std::size_t size) {
    more(size);
    return Chunks::more;
  };
  if (lf == std::string_view::npos) {
    const std::size_t odd = window.find_first_not_of("0123456789abcdefABCDEFxX \t");
    const bool possible =
        ascii::is(window.front(), ascii::kHex) &&
        (odd == std::string_view::npos || window[odd] == ';' || window.substr(odd) == "\r");
    if (at_end || !possible || window.size() >= policy_->limits.look_ahead) return Chunks::no;
    return undecided(window.size() + 1);
  }
  std::string_view line = window.substr(0, lf);
  const bool crlf = line.ends_with('\r');
  if (crlf) line.remove_suffix(1);
  const auto size = codec::parse_chunk_size(line, *policy_);
  if (!size) {
    const bool limit = size.error().code == Errc::limit;
    const bool unsafe = size.error().id == "chunk-control";
    if (limit || unsafe || (crlf && is_nearly_chunk_size(line))) {
      Error error = size.error();
      if (!limit) error.hint = std::string(kCurlHint);
      return fail(std::move(error));
    }
    return Chunks::no;
  }
  if (!crlf) return whole_lf_stream(window, at_end);
  if (*size == 0) {
    codec::ChunkReader reader(*policy_);
    for (std::size_t at = 0; true;) {
      auto part = reader.next(window.substr(at));
      if (!part) return Chunks::no;
      if (!*part) return at_end ? Chunks::wire : undecided(window.size() + 1);
      if (reader.ended()) return Chunks::wire;
      at += (*part)->bytes.size();
    }
  }
  if (*size > policy_->limits.look_ahead) return Chunks::wire;
  const std::size_t data_end = lf + 1 + static_cast<std::size_t>(*size);
  const std::string_view behind = window.substr(std::min(data_end, window.size())).substr(0, 2);
  if (!std::string_view("\r\n").starts_with(behind)) return Chunks::no;
  if (behind.size() == 2 || at_end) return Chunks::wire;
  return undecided(data_end + 2);
}

Result<FramingDecision::Chunks> FramingDecision::whole_lf_stream(std::string_view window,
                                                                 bool at_end) {
  codec::ChunkReader reader(*policy_);
  reader.start(true);
  for (std::size_t at = 0; at <= policy_->limits.look_ahead;) {
    auto part = reader.next(window.substr(at));
    if (!part || (!*part && at_end)) return Chunks::no;
    if (!*part) {
      more(std::max(window.size(), at) + 1);
      return Chunks::more;
    }
    at += (*part)->bytes.size();
    if (reader.ended()) {
      if (policy_->strict())
        return fail({Errc::syntax, "chunk-line-end", "chunk lines end in a bare LF"});
      lf_chunks_ = true;
      return Chunks::wire;
    }
  }
  return Chunks::no;
}

}  // namespace rehead::format
