// last: the last message (entry) of each input goes on, once the input has ended.
// Leaves alone: everything about it. Until then a copy of the latest one is held.
#include <array>

#include "http/kept_exchange.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Last final : public Transform {
 public:
  explicit Last(const http::Policy& policy) : policy_(&policy) {}

  Result<Verdict> apply(http::Exchange& exchange) override {
    kept_.keep(exchange, policy_->limits.hold);
    any_ = true;
    return Verdict::drop;
  }
  Status finish(Emitter& emitter) override {
    if (std::exchange(any_, false)) emitter.emit(kept_.exchange());
    return {};
  }

 private:
  const http::Policy* policy_;
  http::KeptExchange kept_;
  bool any_ = false;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  return std::make_unique<Last>(*arguments.policy);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead last examples/data/redirect.http",
    "rehead last then get content-type examples/data/redirect.http",
};

}  // namespace

extern const TransformInfo kLast = {
    .name = "last",
    .side = http::Side::both,
    .streaming = Streaming::hold,
    .group = "choosing",
    .summary = "keep the last message of each input",
    .help =
        "Of curl -siL the answer behind all redirects. It is written once the input has ended. "
        "Headers and bodies are not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
