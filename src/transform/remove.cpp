// remove NAMES: takes out every field of these names (globs, any case). An absent name is no
// change. Leaves alone: the body; framing fields come back as the sink needs them.
#include <algorithm>
#include <array>

#include "transform/of_names.h"

namespace rehead::transform {
namespace {

class Remove final : public OfNames {
 public:
  using OfNames::OfNames;

 private:
  bool edits_mirrored() const override {
    return std::ranges::any_of(
        names(), [](const http::FieldName& name) { return may_be_mirrored(name.text); });
  }
  Status apply(http::Message& message, http::Exchange& exchange) override {
    for (const http::FieldName& name : names()) {
      if (!name.covers(exchange, message)) continue;
      if (name.is_pattern()) {
        message.headers.remove_if(
            [&](const http::Field& field) { return name.matches(field.name()); });
      } else {
        message.headers.remove(name.text);
      }
    }
    return {};
  }
};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead remove server,x-powered-by examples/data/redirect.http",
    "rehead remove 'x-*' examples/data/redirect.http",
};

}  // namespace

extern const TransformInfo kRemove = {
    .name = "remove",
    .argument = "NAMES",
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "remove header fields by name",
    .help =
        "Every field whose name matches one of NAMES goes: a comma list, any case, * for any "
        "run of characters. A name that is absent is no change. The body is not touched.",
    .examples = kExamples,
    .make = make_of_names<Remove>,
};

}  // namespace rehead::transform
