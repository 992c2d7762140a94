// drop-body: empties the body; Content-Length becomes 0. In HAR the text goes and what was recorded
// about it stays: headers and sizes.
// Leaves alone: messages without a body.
#include <array>

#include "transform/new_content.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class DropBody final : public MessageTransform {
 public:
  using MessageTransform::MessageTransform;

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (message.body == nullptr) return {};
    if (exchange.alone()) forget_content(message);
    message.body->replace(empty_, 0);  // one for both halves: it is never anything but empty
    message.delivery.framing = http::Delivery::Framing::length;
    message.delivery.discarded = true;
    return {};
  }

  TextSource empty_;
};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead drop-body examples/data/redirect.http",
    "rehead drop-body then remove 'x-*' examples/data/chunked.http",
};

}  // namespace

extern const TransformInfo kDropBody = {
    .name = "drop-body",
    .side = http::Side::response,
    .streaming = Streaming::stream,
    .group = "framing and body",
    .summary = "empty the body",
    .help =
        "The body becomes empty and Content-Length 0; Content-Encoding, ETag, digests and "
        "trailers of the old content go. In a HAR entry text and encoding go, recorded headers "
        "and sizes stay. Messages without a body stay as they are.",
    .examples = kExamples,
    .make = make_plain<DropBody>,
};

}  // namespace rehead::transform
