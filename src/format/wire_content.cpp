#include "format/wire_content.h"

#include <utility>

namespace rehead::format {

void WireContent::attach(ByteSource& upstream) {
  upstream_ = &upstream;
  reader_.start(true);
  given_ = 0;
  rest_ = {};
}

Result<Piece> WireContent::front() {
  while (true) {
    auto piece = upstream_->pull();
    if (!piece || piece->kind != Piece::Kind::bytes) return piece;
    piece->bytes = piece->bytes.substr(0, static_cast<std::size_t>(*size_ - given_));
    given_ += piece->bytes.size();
    if (!piece->bytes.empty()) return piece;
  }
}

Result<Piece> WireContent::pull() {
  if (size_ != nullptr) return front();
  while (!reader_.ended()) {
    auto part = reader_.next(rest_);
    if (!part) return fail(std::move(part.error()));
    if (*part) {
      rest_.remove_prefix((*part)->bytes.size());
      if ((*part)->kind != codec::ChunkReader::Kind::data) continue;
      return Piece{Piece::Kind::bytes, (*part)->bytes};
    }
    line_ = std::string(rest_);
    rest_ = line_;
    auto piece = upstream_->pull();
    if (!piece || piece->kind != Piece::Kind::bytes) return piece;
    if (line_.empty()) {
      rest_ = piece->bytes;
    } else {
      line_ += piece->bytes;
      rest_ = line_;
    }
  }
  return Piece{};
}

}  // namespace rehead::format
