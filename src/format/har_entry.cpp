#include "format/har_entry.h"

namespace rehead::format {
namespace {

void keep_texts(HarSide& side, Arena& arena) {
  for (const auto text :
       {&HarSide::version, &HarSide::method, &HarSide::target, &HarSide::reason}) {
    side.*text = arena.keep(side.*text);
  }
}

}  // namespace

std::unique_ptr<http::AsRead> HarEntry::keep() const {
  auto kept = std::make_unique<HarEntry>();
  Arena& texts = kept->arena;
  kept->piece = piece;
  kept->request = request;
  kept->response = response;
  kept->url = texts.keep(url);
  for (const auto text : {&HarPiece::lead, &HarPiece::bytes, &HarPiece::key, &HarPiece::value}) {
    kept->piece.*text = texts.keep(piece.*text);
  }
  keep_texts(kept->request, texts);
  keep_texts(kept->response, texts);
  return kept;
}

bool begins_document(const http::Exchange& passage) {
  const auto* read = dynamic_cast<const HarEntry*>(passage.as_read);
  return read != nullptr && read->piece.level == HarPiece::Level::outside &&
         (read->piece.kind == HarPiece::Kind::document ||
          read->piece.kind == HarPiece::Kind::entries);
}

}  // namespace rehead::format
