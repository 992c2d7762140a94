// remove NAMES: takes out every field of these names (globs, any case). An absent name is no change.
// Leaves alone: the body; framing fields come back as the sink needs them (spec section 5).
#include <algorithm>
#include <array>
#include <vector>

#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Remove final : public MessageTransform {
 public:
  Remove(http::Selection selection, std::vector<std::string> names)
      : MessageTransform(selection), names_(std::move(names)) {}

 private:
  Status apply(http::Message& message, http::Exchange&) override {
    message.headers.remove_if([&](const http::Field& field) {
      return std::ranges::any_of(
          names_, [&](const std::string& name) { return glob(name, field.name()); });
    });
    return {};
  }

  std::vector<std::string> names_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  auto names = parse_names(arguments.argument);
  if (!names) return fail(std::move(names.error()));
  return std::make_unique<Remove>(arguments.selection, std::move(*names));
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
    .help = "Every field whose name matches one of NAMES goes: a comma list, any case, * for any "
            "run of characters. A name that is absent is no change. The body is not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
