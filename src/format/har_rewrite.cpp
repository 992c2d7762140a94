// The text of an entry, or of a member around the entries, changed before it is written: what was
// found in it moves along, and what was loaded from it, and is as it was loaded, is loaded again.
#include <algorithm>
#include <utility>

#include "format/har_body.h"
#include "format/har_entry.h"
#include "format/har_layout.h"
#include "format/request_url.h"

namespace rehead::format {
namespace {

constexpr std::size_t kMostAround = std::size_t{8} << 20;  // bytes of a member that is held

using Edits = std::vector<http::TextEdit>;

std::string edited(std::string_view text, const Edits& edits) {
  std::string out;
  std::size_t done = 0;
  for (const http::TextEdit& edit : edits) {
    out += text.substr(done, edit.at - done);
    out += edit.text;
    done = edit.at + edit.size;
  }
  return out += text.substr(done);
}

/// Where a place that is not inside an edit is afterwards.
class Shift {
 public:
  explicit Shift(const Edits& edits) {
    std::size_t moved = 0;
    for (const http::TextEdit& edit : edits) {
      moved += edit.text.size() - edit.size;  // may wrap around, and back
      steps_.push_back({edit.at + edit.size, moved});
    }
  }
  void move(std::size_t& at) const {
    if (at < steps_.front().from) return;
    const auto behind = std::ranges::upper_bound(steps_, at, {}, &Step::from);
    if (behind != steps_.begin()) at += std::prev(behind)->by;
  }
  void move(HarSpan& span) const {
    if (!span) return;
    move(span.begin);
    move(span.end);
  }
  void move(std::vector<HarPart>& parts) const {
    for (HarPart& part : parts) {
      move(part.begin);
      move(part.value);
    }
  }
  void move(HarSide& side) const {
    move(side.object);
    for (HarSpan& member : side.members) move(member);
    move(side.parts);
    for (HarHeader& header : side.headers) {
      for (HarSpan* const span : {&header.element, &header.name, &header.value}) move(*span);
    }
  }

 private:
  struct Step {
    std::size_t from;
    std::size_t by;
  };
  std::vector<Step> steps_;
};

/// The fields as the text has them now.
void load_again(http::HeaderMap& headers, const HarSide& side, std::string_view text,
                Arena& arena) {
  std::vector<std::uint32_t> live(side.headers.size());
  for (const http::Field& field : headers) {
    if (field.origin != http::Field::kNew) ++live[field.origin];
  }
  const auto same = [&](const http::Field& field) {
    const HarHeader& header = side.headers[field.origin];
    const std::string_view raw = header.value.in(text);
    return header.fields == 1 && raw.size() == field.value().size() + 2 &&
           raw.substr(1, raw.size() - 2) == field.value();
  };
  std::uint32_t origin = http::Field::kNew;
  std::vector<std::string_view> values;
  std::size_t index = 0;
  for (const http::Field& field : headers) {
    if (field.origin == http::Field::kNew || same(field)) continue;
    if (field.origin != origin) {
      origin = field.origin;
      index = 0;
      values = values_of(text, side.headers[origin].value, arena);
    }
    const std::size_t at = index++;
    // Of values that stood in one header some are gone: which this one was is not known.
    const bool whole = live[origin] == side.headers[origin].fields && values.size() == live[origin];
    if (whole && !field.has(http::Field::changed)) headers.reread(field, values[at]);
  }
}

}  // namespace

bool HarEntry::rewrite(http::Rewriter& rewriter, http::Exchange& exchange) {
  if (exchange.passage) {
    rewrite_around(rewriter);
    return true;
  }
  bool changed = false;
  for (std::string& text : texts_) {
    const Edits edits = rewriter.rewrite(piece.bytes, http::Rewriter::What::entry);
    if (edits.empty()) continue;
    changed = true;
    text = edited(piece.bytes, edits);
    piece.bytes = text;
    const Shift shift(edits);
    shift.move(members);
    sides.for_each([&](HarSide& side) { shift.move(side); });
  }
  if (changed) load_again(exchange);
  return true;
}

void HarEntry::load_again(http::Exchange& exchange) {
  const std::string_view text = piece.bytes;
  for (http::Message* const message : {exchange.request, exchange.response}) {
    if (message == nullptr) continue;
    HarSide& side = sides[*message];
    format::load_again(message->headers, side, text, arena);
    HarMirrored& mirrored = mirrors[*message];
    if (!mirrored.message.headers.changed()) mirrored.loaded = false;
    HarBody* const body = bodies[*message];
    if (body == nullptr || message->body == nullptr || message->body->touched()) continue;
    const bool request = message->kind == http::Kind::request;
    body->restart(side[request ? HarMember::post_data : HarMember::content].in(text));
    message->body->start(*body, *body);
  }
  if (exchange.request == nullptr) return;
  http::StartLine& start = exchange.request->start;
  HarSide& side = sides[http::Kind::request];
  const std::string_view now = text_at(text, side[HarMember::url], arena);
  if (start.target() == side.start.target()) start.set_target(target_of(start.method(), now));
  side.start.set_target(target_of(side.start.method(), now));
  if (exchange.url == url) exchange.url = now;
  url = now;
}

/// Parts of a long member wait for its end, as far as memory may be used for it: the last one
/// becomes all of it.
void HarEntry::gather() {
  const bool first = piece.kind == HarPiece::Kind::member;
  if (first) {
    around_ = '{';
    around_value_ = 1 + piece.bytes.size() - piece.value.size();
    around_size_ = 0;
  }
  around_size_ += piece.bytes.size();
  if (first || around_size_ <= kMostAround) around_ += piece.bytes;
  piece.bytes = piece.value = {};
  if (piece.complete) around_ += '}';
}

void HarEntry::rewrite_around(http::Rewriter& rewriter) {
  if (piece.kind != HarPiece::Kind::member && piece.kind != HarPiece::Kind::more) return;
  if (!std::exchange(gathered, true)) gather();
  if (!piece.complete) return;
  if (around_size_ > kMostAround) {
    around_.resize(around_value_);
    around_ += rewriter.too_long(piece.key) + '}';
    around_size_ = around_.size();
  }
  for (int round = 0; round < 2; ++round) {
    around_ = edited(around_, rewriter.rewrite(around_, http::Rewriter::What::around));
  }
  piece.bytes = std::string_view(around_).substr(1, around_.size() - 2);
  piece.value = std::string_view(around_).substr(around_value_, around_.size() - 1 - around_value_);
}

}  // namespace rehead::format
