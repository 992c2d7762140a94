#include "http/held_body.h"

#include <cstdint>

namespace rehead::http {

Status HeldBody::hold(Body& body, std::size_t memory) {
  body_ = &body;
  const bool framed = body.framed();
  spool_.start(framed ? body.coded() : body.content(), memory);
  auto held = spool_.hold_all();
  const bool known = held && !framed;
  body.reread(spool_, known ? std::optional(spool_.size()) : std::nullopt);
  return held;
}

bool HeldBody::shorter_than(Body& body, std::uint64_t least) {
  return body.size() ? *body.size() < least : read_start(body, least, nullptr);
}

bool HeldBody::look(Body& body, std::size_t size, std::string& start) {
  start.clear();
  return read_start(body, size, &start);
}

/// Into `start` (if given) go the bytes read, `least` at the most. True: there are fewer.
bool HeldBody::read_start(Body& body, std::uint64_t least, std::string* start) {
  record(body, SIZE_MAX);
  std::uint64_t size = 0;
  bool ended = false;
  while (size < least && !ended) {
    auto piece = body.content().pull();
    if (!piece) break;
    if (start != nullptr) *start += piece->bytes.substr(0, static_cast<std::size_t>(least - size));
    size += piece->bytes.size();
    ended = piece->kind == Piece::Kind::end;
  }
  spool_.rewind();
  body.reread(spool_, ended ? std::optional(size) : std::nullopt);
  return ended;
}

void HeldBody::record(Body& body, std::size_t memory) {
  body_ = &body;
  spool_.start(body.framed() ? body.coded() : body.content(), memory);
  spool_.record();
  body.reread(spool_, std::nullopt);
}

void HeldBody::rewind() {
  spool_.rewind();
  body_->reread(spool_, std::nullopt);
}

Result<std::uint64_t> HeldBody::size() {
  if (body_->size()) return *body_->size();
  std::uint64_t size = 0;
  while (true) {
    auto piece = body_->content().pull();
    if (!piece) return fail(std::move(piece.error()));
    if (piece->kind == Piece::Kind::end) break;
    size += piece->bytes.size();
  }
  spool_.rewind();
  body_->reread(spool_, size);
  return size;
}

}  // namespace rehead::http
