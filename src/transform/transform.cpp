#include "transform/transform.h"

#include <algorithm>

#include "http/field_name.h"

namespace rehead::transform {

Result<Verdict> MessageTransform::apply(http::Exchange& exchange) {
  auto done = exchange.for_each([&](http::Message& message) -> Status {
    if (!selection_.covers(exchange, message.kind)) return {};
    auto applied = apply(message, exchange);
    if (!applied || exchange.as_read == nullptr || !edits_mirrored()) return applied;
    http::Message* const mirrored = exchange.as_read->mirrored(message);
    return mirrored != nullptr ? apply(*mirrored, exchange) : Status();
  });
  if (!done) return fail(std::move(done.error()));
  return Verdict::keep;
}

bool may_be_mirrored(std::string_view name) {
  constexpr std::string_view kMirrored[] = {"Cookie", "Set-Cookie", "Location", "Content-Type"};
  return std::ranges::any_of(kMirrored,
                             [&](std::string_view known) { return http::glob(name, known); });
}

void report(const http::Message& message, const http::Exchange& exchange, Finding finding) {
  if (!exchange.alone()) {
    finding.half = message.kind == http::Kind::request ? Half::request : Half::response;
  }
  message.log->report(finding);
}

}  // namespace rehead::transform
