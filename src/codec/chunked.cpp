#include "codec/chunked.h"

#include <algorithm>

#include "base/ascii.h"

namespace rehead::codec {
namespace {

tl::unexpected<Error> broken(std::string_view id, std::string what) {
  return fail({Errc::syntax, id, std::move(what)});
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return ascii::is(c, ascii::kControl); });
}

/// Bytes of the quoted string `text` begins with; 0 = it is none.
std::size_t quoted_size(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return 0;
}

}  // namespace

std::optional<std::string> canonical_chunk_line(std::string_view line) {
  const std::size_t digits = std::min(line.find_first_of("; \t"), line.size());
  if (digits == line.size()) return std::nullopt;
  const std::string_view size = line.substr(0, digits);
  std::string out(size);
  std::string_view rest = ascii::trim(line.substr(digits));
  while (!rest.empty()) {  // *( BWS ";" BWS name [ BWS "=" BWS value ] )
    const char c = rest.front();
    std::size_t taken = 1;
    if (c == '"' && out.ends_with('=')) {
      taken = quoted_size(rest);
    } else if (ascii::is(c, ascii::kToken)) {
      while (taken < rest.size() && ascii::is(rest[taken], ascii::kToken)) ++taken;
      if (!out.ends_with(';') && !out.ends_with('=')) taken = 0;
    } else if (c == '=' ? out.ends_with(';') || out.ends_with('=') : c != ';') {
      taken = 0;
    }
    if (taken == 0) return std::string(size);
    if (c != ';' || !out.ends_with(';')) out += rest.substr(0, taken);
    rest = ascii::trim(rest.substr(taken));
  }
  if (out.ends_with(';')) out.pop_back();
  if (out == line) return std::nullopt;
  return out;
}

Result<std::uint64_t> parse_chunk_size(std::string_view line, const http::Policy& policy) {
  std::size_t digits = 0;
  while (digits < line.size() && ascii::is(line[digits], ascii::kHex)) ++digits;
  if (digits == 0) return broken("chunk-size", "chunk size has no digits: " + ascii::quoted(line));
  const std::size_t zeros = std::min(line.find_first_not_of('0'), digits);
  if (digits - zeros > 16) {
    return broken("chunk-size", "chunk size has more than 16 digits: " + ascii::quoted(line));
  }
  std::uint64_t size = 0;
  for (const char c : line.substr(zeros, digits - zeros)) size = size * 16 + ascii::hex_value(c);
  if (size > static_cast<std::uint64_t>(INT64_MAX)) {
    return broken("chunk-size", "chunk size beyond 2^63: " + ascii::quoted(line));
  }
  std::string_view rest = line.substr(digits);
  if (policy.strict() && !rest.empty() && ascii::is_blank(rest.front())) {
    return broken("chunk-size", "a blank after a chunk size: " + ascii::quoted(line));
  }
  rest = ascii::trim(rest);
  if (!rest.empty() && rest.front() != ';') {
    return broken("chunk-size", "chunk size is no number: " + ascii::quoted(line));
  }
  if (has_control(rest)) return broken("chunk-control", "a control byte in a chunk size line");
  if (policy.strict() && canonical_chunk_line(line)) {
    return broken("chunk-extension", "chunk extensions that are none: " + ascii::quoted(line));
  }
  if (rest.size() > policy.limits.max_extension) {
    return fail(
        {Errc::limit, "chunk-extension",
         "chunk extensions larger than " + std::to_string(policy.limits.max_extension) + " bytes"});
  }
  return size;
}

Status ChunkReader::line_end(std::string_view line) const {
  if (lf_ || line.ends_with("\r\n")) return {};
  return broken("chunk-line-end", "a chunk line ends in a bare LF");
}

Result<std::optional<ChunkReader::Part>> ChunkReader::size_line(std::string_view window) {
  const std::size_t limit = policy_->limits.max_extension + 64;  // digits and blanks beside it
  const std::size_t lf = window.substr(0, limit).find('\n');
  if (lf == std::string_view::npos) {
    if (window.size() < limit) return std::nullopt;
    if (!ascii::is(window.front(), ascii::kHex)) {
      return broken("chunk-size", "chunk size has no digits: " + ascii::quoted(window));
    }
    return fail({Errc::limit, "chunk-extension",
                 "a chunk size line larger than " + std::to_string(limit) + " bytes"});
  }
  const std::string_view line = window.substr(0, lf + 1);
  if (auto fine = line_end(line); !fine) return fail(std::move(fine.error()));
  const std::string_view text = line.substr(0, line.ends_with("\r\n") ? lf - 1 : lf);
  auto size = parse_chunk_size(text, *policy_);
  if (!size) return fail(std::move(size.error()));
  left_ = *size;
  state_ = left_ == 0 ? State::trailers : State::data;
  return Part{Kind::size_line, line};
}

Result<std::optional<ChunkReader::Part>> ChunkReader::trailer(std::string_view window) {
  const std::size_t lf = window.find('\n');
  const std::size_t seen = lf == std::string_view::npos ? window.size() : lf + 1;
  if (trailer_bytes_ + seen > policy_->limits.max_head) {
    return fail({Errc::limit, "max-head",
                 "trailers larger than " + std::to_string(policy_->limits.max_head) + " bytes",
                 "raise it with --max-head"});
  }
  if (lf == std::string_view::npos) return std::nullopt;
  const std::string_view line = window.substr(0, lf + 1);
  if (auto fine = line_end(line); !fine) return fail(std::move(fine.error()));
  if (line == "\r\n" || line == "\n") {
    state_ = State::ended;
    return Part{Kind::end, line};
  }
  const std::string_view text = line.substr(0, line.ends_with("\r\n") ? lf - 1 : lf);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || !ascii::is_token(text.substr(0, colon)) ||
      text.find_first_of(std::string_view("\0\r", 2)) != std::string_view::npos) {
    return broken("trailer",
                  "a trailer line is no field (" + std::to_string(line.size()) + " bytes)");
  }
  if (policy_->strict() && has_control(text)) {
    return broken("trailer", "a control byte in a trailer line");
  }
  trailer_bytes_ += line.size();
  return Part{Kind::trailer, line};
}

Result<std::optional<ChunkReader::Part>> ChunkReader::next(std::string_view window) {
  switch (state_) {
    case State::size_line:
      return size_line(window);
    case State::data: {
      if (window.empty()) return std::nullopt;
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, window.size()));
      left_ -= size;
      if (left_ == 0) state_ = State::data_end;
      return Part{Kind::data, window.substr(0, size)};
    }
    case State::data_end: {
      const bool bare = lf_ && window.starts_with('\n');
      if (!bare && window.size() < 2 && (window.empty() || window == "\r")) return std::nullopt;
      if (!bare && !window.starts_with("\r\n")) {
        return broken("chunk-data-end", "no line end after the data of a chunk");
      }
      ++chunks_;
      state_ = State::size_line;
      return Part{Kind::data_end, window.substr(0, bare ? 1 : 2)};
    }
    case State::trailers:
      return trailer(window);
    case State::ended:
      break;
  }
  return Part{Kind::end, {}};
}

}  // namespace rehead::codec
