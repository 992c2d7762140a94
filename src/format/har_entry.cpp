#include "format/har_entry.h"

#include <utility>

#include "format/har_mirror.h"

namespace rehead::format {
namespace {

void keep_texts(HarSide& side, Arena& arena) {
  side.start = side.start.kept_in(arena);
  for (HarPart& part : side.parts) part.key = arena.keep(part.key);
}

void copy(const HarMirrored& from, HarMirrored& to) {
  to.loaded = from.loaded;
  to.origins = from.origins;
  to.message.kind = from.message.kind;
  to.message.headers.assign(from.message.headers);
}

}  // namespace

std::unique_ptr<http::AsRead> HarEntry::keep() const {
  auto kept = std::make_unique<HarEntry>();
  Arena& texts = kept->arena;
  kept->piece = piece;
  kept->members = members;
  kept->sides = sides;
  kept->url = texts.keep(url);
  for (const auto text : {&HarPiece::lead, &HarPiece::bytes, &HarPiece::key, &HarPiece::value}) {
    kept->piece.*text = texts.keep(piece.*text);
  }
  for (HarPart& part : kept->members) part.key = texts.keep(part.key);
  for (const http::Kind kind : {http::Kind::request, http::Kind::response}) {
    keep_texts(kept->sides[kind], texts);
    copy(mirrors[kind], kept->mirrors[kind]);
  }
  return kept;
}

void HarMirrored::load(std::string_view name, std::string_view value, Origin origin) {
  message.headers.load({.name_at = name.data(),
                        .value_at = value.data(),
                        .name_size = static_cast<std::uint32_t>(name.size()),
                        .value_size = static_cast<std::uint32_t>(value.size())});
  origins.push_back(origin);
}

std::vector<const http::Field*> HarMirrored::fields() const {
  std::vector<const http::Field*> live(origins.size());
  for (const http::Field& field : message.headers) {
    if (field.origin != http::Field::kNew) live[field.origin] = &field;
  }
  return live;
}

http::Message* HarEntry::mirrored(const http::Message& message) {
  HarMirrored& mirrored = mirrors[message];
  if (!mirrored.loaded) load_mirrored(*this, message, mirrored);
  return mirrored.message.headers.empty() ? nullptr : &mirrored.message;
}

void HarEntry::clear() {
  url = {};
  arena.reset();
  for (std::string& text : texts_) text = {};
  members.clear();
  sides.for_each([](HarSide& side) { side.clear(); });
  mirrors.for_each([](HarMirrored& mirrored) {
    if (std::exchange(mirrored.loaded, false)) mirrored.message.clear();
    mirrored.origins.clear();
  });
}

bool begins_document(const http::Exchange& passage) {
  const auto* read = dynamic_cast<const HarEntry*>(passage.as_read);
  return read != nullptr && read->piece.level == HarPiece::Level::outside &&
         (read->piece.kind == HarPiece::Kind::document ||
          read->piece.kind == HarPiece::Kind::entries);
}

}  // namespace rehead::format
