// lower: field names in lower case, as HTTP/2 and HTTP/3 write them (RFC 9113 8.2.1).
// Leaves alone: values, places, names that are no tokens; the body.
#include <array>

#include "base/ascii.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Lower final : public MessageTransform {
 public:
  using MessageTransform::MessageTransform;

 private:
  Status apply(http::Message& message, http::Exchange&) override {
    for (const http::Field& field : message.headers) {
      if (!ascii::is_token(field.name())) continue;
      name_ = field.name();
      for (char& c : name_) c = ascii::lower(c);
      if (auto done = message.headers.rename(field, name_); !done) return done;
    }
    return {};
  }

  std::string name_;
};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead lower examples/data/redirect.http",
    "rehead lower then sort -t headers examples/data/api.http",
};

}  // namespace

extern const TransformInfo kLower = {
    .name = "lower",
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "write field names in lower case",
    .help =
        "Every field name is written in lower case, as in HTTP/2 and HTTP/3. Places and values "
        "stay. The body is not touched.",
    .examples = kExamples,
    .make = make_plain<Lower>,
};

}  // namespace rehead::transform
