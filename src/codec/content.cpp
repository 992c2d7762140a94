#include "codec/content.h"

#include <algorithm>

#include "http/framing.h"

namespace rehead::codec {

Status Content::hold(http::Message& message) {
  Half& half = halves_[message];
  if (half.held) return {};
  auto done = half.body.hold(*message.body, policy_->limits.hold);
  half.held = done.has_value();
  return done;
}

Status Content::settle(http::Exchange& exchange) {
  return exchange.for_each([&](http::Message& message) {
    return http::is_unsettled(message) ? settle(message) : Status();
  });
}

Status Content::settle(http::Message& message) {
  auto plan = http::settle(message, *policy_);
  if (!plan || plan->way != http::Plan::Way::hold) return plan ? Status() : fail(plan.error());
  auto size = size_of(message);
  if (!size) return fail(std::move(size.error()));
  const bool too_long = plan->in_chunks && **size > policy_->limits.hold;
  plan = http::settle(message, *policy_,
                      too_long ? http::Held{.too_long = true} : http::Held{.size = *size});
  return plan ? Status() : fail(plan.error());
}

Result<std::optional<std::uint64_t>> Content::size_of(http::Message& message) {
  if (message.body == nullptr) {
    if (message.notes.framing == http::Framing::withheld) return std::nullopt;
    return 0;
  }
  if (const auto told = message.body->told_size()) return told;
  if (message.body->size()) return message.body->size();
  if (auto done = hold(message); !done) return fail(std::move(done.error()));
  auto size = halves_[message].body.size();
  if (!size) return fail(std::move(size.error()));
  return *size;
}

Result<std::string_view> Content::decoded(http::Message& message) {
  auto& [body, text, held, decoded] = halves_[message];
  if (decoded) return text;
  text.clear();
  if (message.body == nullptr) return text;
  if (auto done = hold(message); !done) return fail(std::move(done.error()));
  if (auto used = decoder_.use(message); !used) return fail(std::move(used.error()));
  if (message.notes.codings.empty() && message.body->size()) {
    text.reserve(std::min(*message.body->size(), policy_->limits.max_body));
  }
  decoder_.attach(message.body->content());
  while (true) {
    auto piece = decoder_.pull();
    if (!piece) return fail(std::move(piece.error()));
    if (piece->kind == Piece::Kind::end) break;
    if (piece->bytes.size() > policy_->limits.max_body - text.size()) {
      return fail(
          {Errc::limit, "content-size",
           "the content is larger than " + std::to_string(policy_->limits.max_body) + " bytes",
           "--max-body raises the limit"});
    }
    text += piece->bytes;
  }
  body.rewind();
  decoded = true;
  return text;
}

}  // namespace rehead::codec
