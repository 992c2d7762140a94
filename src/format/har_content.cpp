#include "format/har_content.h"

#include <algorithm>
#include <optional>

#include "codec/base64.h"
#include "codec/json_writer.h"
#include "codec/utf8.h"

namespace rehead::format {
namespace {

/// Compares what is fed, in pieces of any size, with what a source gives.
class Comparison {
 public:
  explicit Comparison(ByteSource* with) : with_(with), same_(with != nullptr) {}

  void feed(std::string_view bytes) {
    while (same_ && !bytes.empty()) {
      if (rest_.empty()) next();
      const std::size_t size = std::min(rest_.size(), bytes.size());
      same_ = size != 0 && rest_.starts_with(bytes.substr(0, size));
      rest_.remove_prefix(size);
      bytes.remove_prefix(size);
    }
  }
  bool finish() {
    if (same_ && rest_.empty()) next();
    return same_ && rest_.empty();
  }

 private:
  void next() {
    const auto piece = with_->pull();
    same_ = same_ && piece;
    if (piece) rest_ = piece->bytes;
  }

  ByteSource* with_;
  bool same_;
  std::string_view rest_;
};

}  // namespace

Status HarContent::take(http::Message& message, ByteSource* original) {
  message_ = &message;
  coded_.start(message.body->content(), policy_->limits.hold);
  auto held = coded_.hold_all();
  decode_ =
      held && !message.notes.codings.empty() &&
      std::ranges::find(message.notes.codings, http::Coding::other) == message.notes.codings.end();
  if (!look(original) && decode_) {
    message.log->report({.level = Level::note,
                         .id = "content-kept-coded",
                         .what = "the content cannot be decoded; kept as it is, in base64"});
    decode_ = false;
    look(original);
  }
  return held;
}

/// The content from its start.
ByteSource& HarContent::start() {
  coded_.rewind();
  if (!decode_ || !decoder_.use(*message_)) return coded_;
  decoder_.attach(coded_);
  return decoder_;
}

/// Learns size and kind. False if the content breaks off.
bool HarContent::look(ByteSource* original) {
  Comparison comparison(original);
  codec::Utf8Check utf8;
  size_ = 0;
  ByteSource& content = start();
  while (true) {
    const auto piece = content.pull();
    const bool ended = !piece || piece->kind == Piece::Kind::end;
    if (ended) {
      text_ = utf8.complete();
      same_ = comparison.finish() && piece;
      return piece.has_value();
    }
    size_ += piece->bytes.size();
    utf8.feed(piece->bytes);
    comparison.feed(piece->bytes);
  }
}

Status HarContent::write(ByteSink& output) {
  constexpr std::size_t kFull = std::size_t{64} << 10;
  std::string out;
  codec::JsonWriter json(out);
  json.open_string();
  codec::Base64Encoder encoder;
  ByteSource& content = start();
  while (true) {
    const auto piece = content.pull();
    if (!piece || piece->kind == Piece::Kind::end) break;  // a body that broke off was told of
    if (text_) {
      json.piece(piece->bytes);
    } else {
      encoder.feed(piece->bytes, out);
    }
    if (out.size() < kFull) continue;
    if (auto done = output.write(out); !done) return done;
    out.clear();
  }
  encoder.finish(out);
  json.close_string();
  return output.write(out);
}

}  // namespace rehead::format
