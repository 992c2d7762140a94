#include "format/wire_body.h"

#include <array>
#include <charconv>
#include <utility>

#include "format/head_writer.h"

namespace rehead::format {

void WireBody::start(ByteSource& content, const http::Message& message) {
  content_ = &content;
  message_ = &message;
  rest_ = {};
  ended_ = false;
}

Result<Piece> WireBody::pull() {
  if (ended_) return Piece{};
  if (rest_.empty()) {
    auto piece = content_->pull();
    if (!piece || piece->kind == Piece::Kind::idle) return piece;
    if (piece->kind == Piece::Kind::end) {
      if (auto done = end(); !done) return fail(std::move(done.error()));
      return out_.empty() ? Piece{} : Piece{Piece::Kind::bytes, out_};
    }
    rest_ = piece->bytes;
  }
  if (message_->notes.framing != http::Framing::chunked) {
    return Piece{Piece::Kind::bytes, std::exchange(rest_, {})};
  }
  const std::string_view data = rest_.substr(0, kChunk);
  rest_.remove_prefix(data.size());
  std::array<char, 16> digits;
  out_.assign(digits.data(),
              std::to_chars(digits.data(), digits.data() + digits.size(), data.size(), 16).ptr);
  out_ += "\r\n";
  out_ += data;
  out_ += "\r\n";
  return Piece{Piece::Kind::bytes, out_};
}

/// What stands behind the content.
Status WireBody::end() {
  ended_ = true;
  out_.clear();
  const bool chunked = message_->notes.framing == http::Framing::chunked;
  // Without chunks HTTP/1 has no place for trailers (RFC 9112 6.3); those of HTTP/2 and 3 are told
  // from content only if they are announced.
  const bool announced = message_->start.version().substr(0, 7) != "HTTP/1." &&
                         message_->headers.find("Trailer") != nullptr;
  const bool behind = message_->notes.framing == http::Framing::close && announced;
  if (!chunked && !behind) return {};
  MemorySink trailers;
  auto done = write_trailers(*message_, *policy_, trailers);
  out_ = chunked ? "0\r\n" + trailers.text() + "\r\n" : trailers.text();
  return done;
}

}  // namespace rehead::format
