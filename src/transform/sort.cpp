// sort: header fields in the order of their names, any case. Fields of one name keep their order,
// which has a meaning (RFC 9110 5.3).
// Leaves alone: spelling and values; trailers; the body.
#include <array>

#include "base/ascii.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Sort final : public MessageTransform {
 public:
  using MessageTransform::MessageTransform;

 private:
  Status apply(http::Message& message, http::Exchange&) override {
    message.headers.stable_sort([](const http::Field& a, const http::Field& b) {
      return ascii::before(a.name(), b.name());
    });
    return {};
  }
};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead sort examples/data/redirect.http",
    "rehead sort then lower -t headers examples/data/api.http",
};

}  // namespace

extern const TransformInfo kSort = {
    .name = "sort",
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "sort header fields by name",
    .help =
        "Fields stand in the order of their names, any case; fields of one name keep their "
        "order. Names and values stay as they are. The body is not touched.",
    .examples = kExamples,
    .make = make_plain<Sort>,
};

}  // namespace rehead::transform
