// keep NAMES: takes out every field but those of these names (globs, any case).
// Leaves alone: messages on a side that no name is for; the body. What the framing needs comes back
// in the sink (spec section 5).
#include <algorithm>
#include <array>
#include <vector>

#include "http/field_name.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Keep final : public MessageTransform {
 public:
  explicit Keep(std::vector<http::FieldName> names)
      : MessageTransform({}), names_(std::move(names)) {}

 private:
  bool edits_mirrored() const override { return true; }
  Status apply(http::Message& message, http::Exchange& exchange) override {
    const auto here = [&](const http::FieldName& name) { return name.covers(exchange, message); };
    if (std::ranges::none_of(names_, here)) return {};
    message.headers.remove_if([&](const http::Field& field) {
      return std::ranges::none_of(names_, [&](const http::FieldName& name) {
        return here(name) && name.matches(field.name());
      });
    });
    return {};
  }

  std::vector<http::FieldName> names_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  auto names = http::parse_names(arguments.argument, arguments.selection);
  if (!names) return fail(std::move(names.error()));
  return std::make_unique<Keep>(std::move(*names));
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead keep 'content-*,location' examples/data/redirect.http",
    "rehead keep set-cookie -t headers examples/data/cookies.http",
};

}  // namespace

extern const TransformInfo kKeep = {
    .name = "keep",
    .argument = "NAMES",
    .options = {},
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "remove all header fields but these",
    .help =
        "Every field whose name matches none of NAMES goes: a comma list, any case, * for any "
        "run of characters. With req: or res: before every name the other side stays as it "
        "is. A length or chunked framing is written where the body needs it.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
