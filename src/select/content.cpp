#include "select/content.h"

namespace rehead::select {

Status Content::hold(http::Message& message) {
  if (held_) return {};
  auto held = body_.hold(*message.body, policy_->limits.hold);
  held_ = held.has_value();
  return held;
}

Result<std::optional<std::uint64_t>> Content::size_of(http::Message& message) {
  if (message.body == nullptr) {
    if (message.framing == http::Framing::withheld) return std::nullopt;
    return 0;
  }
  if (const auto told = message.body->told_size()) return told;
  if (message.body->size()) return message.body->size();
  if (auto done = hold(message); !done) return fail(std::move(done.error()));
  auto size = body_.size();
  if (!size) return fail(std::move(size.error()));
  return *size;
}

Result<std::string_view> Content::decoded(http::Message& message) {
  if (decoded_) return text_;
  text_.clear();
  if (message.body == nullptr) return text_;
  if (auto done = hold(message); !done) return fail(std::move(done.error()));
  if (auto used = decoder_.use(message.codings, *message.log); !used) {
    return fail(std::move(used.error()));
  }
  decoder_.attach(message.body->content());
  while (true) {
    auto piece = decoder_.pull();
    if (!piece) return fail(std::move(piece.error()));
    if (piece->kind == Piece::Kind::end) break;
    if (piece->bytes.size() > policy_->limits.max_body - text_.size()) {
      return fail({Errc::limit, "content-size",
                   "the content is larger than " + std::to_string(policy_->limits.max_body) +
                       " bytes",
                   "--max-body raises the limit"});
    }
    text_ += piece->bytes;
  }
  body_.rewind();
  decoded_ = true;
  return text_;
}

}  // namespace rehead::select
