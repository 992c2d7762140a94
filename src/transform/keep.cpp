// keep NAMES: takes out every field but those of these names (globs, any case).
// Leaves alone: messages on a side that no name is for; the body. What the framing needs comes back
// in the sink.
#include <array>

#include "transform/of_names.h"

namespace rehead::transform {
namespace {

class Keep final : public OfNames {
 public:
  using OfNames::OfNames;

 private:
  bool edits_mirrored() const override { return true; }
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (!any_name(message, exchange, [](const http::FieldName&) { return true; })) return {};
    message.headers.remove_if([&](const http::Field& field) {
      return !any_name(message, exchange,
                       [&](const http::FieldName& name) { return name.matches(field.name()); });
    });
    return {};
  }
};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead keep 'content-*,location' examples/data/redirect.http",
    "rehead keep set-cookie -t headers examples/data/cookies.http",
};

}  // namespace

extern const TransformInfo kKeep = {
    .name = "keep",
    .argument = "NAMES",
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "remove all header fields but these",
    .help =
        "Every field whose name matches none of NAMES goes: a comma list, any case, * for any "
        "run of characters. With req: or res: before every name the other side stays as it "
        "is. A length or chunked framing is written where the body needs it.",
    .examples = kExamples,
    .make = make_of_names<Keep>,
};

}  // namespace rehead::transform
