// remove NAMES: takes out every field of these names (globs, any case). An absent name is no
// change. Leaves alone: the body; framing fields come back as the sink needs them (spec section 5).
#include <algorithm>
#include <array>
#include <vector>

#include "http/field_name.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Remove final : public MessageTransform {
 public:
  explicit Remove(std::vector<http::FieldName> names)
      : MessageTransform({}), names_(std::move(names)) {}

 private:
  bool edits_mirrored() const override {
    return std::ranges::any_of(
        names_, [](const http::FieldName& name) { return may_be_mirrored(name.text); });
  }
  Status apply(http::Message& message, http::Exchange& exchange) override {
    for (const http::FieldName& name : names_) {
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

  std::vector<http::FieldName> names_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  auto names = http::parse_names(arguments.argument, arguments.selection);
  if (!names) return fail(std::move(names.error()));
  return std::make_unique<Remove>(std::move(*names));
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead remove server,x-powered-by examples/data/redirect.http",
    "rehead remove 'x-*' examples/data/redirect.http",
};

}  // namespace

extern const TransformInfo kRemove = {
    .name = "remove",
    .argument = "NAMES",
    .options = {},
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "remove header fields by name",
    .help =
        "Every field whose name matches one of NAMES goes: a comma list, any case, * for any "
        "run of characters. A name that is absent is no change. The body is not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
