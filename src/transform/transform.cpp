#include "transform/transform.h"

namespace rehead::transform {

Result<Verdict> MessageTransform::apply(http::Exchange& exchange) {
  auto done = exchange.for_each([&](http::Message& message) -> Status {
    if (!selection_.covers(exchange, message.kind)) return {};
    return apply(message, exchange);
  });
  if (!done) return fail(std::move(done.error()));
  return Verdict::keep;
}

void report(const http::Message& message, const http::Exchange& exchange, Finding finding) {
  if (!exchange.alone()) {
    finding.half = message.kind == http::Kind::request ? Half::request : Half::response;
  }
  message.log->report(finding);
}

}  // namespace rehead::transform
