// add 'N: V': one more field of that name, after the last instance, else at the end.
// Leaves alone: fields that are there, equal ones too; the body.
#include <array>

#include "http/field_name.h"
#include "http/framing.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Add final : public MessageTransform {
 public:
  explicit Add(http::NamedField field) : MessageTransform({}), field_(std::move(field)) {}

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (!field_.name.covers(exchange, message)) return {};
    http::trust_label(message, field_.name.text);
    return message.headers.append(field_.name.text, field_.value);
  }

  http::NamedField field_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  auto field = http::parse_field(arguments.argument, arguments.selection);
  if (!field) return fail(std::move(field.error()));
  return std::make_unique<Add>(std::move(*field));
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead add 'Set-Cookie: seen=1; Path=/' examples/data/cookies.http",
    "rehead add 'Vary: Origin' -t headers examples/data/api.http",
};

}  // namespace

extern const TransformInfo kAdd = {
    .name = "add",
    .argument = "'NAME: VALUE'",
    .side = http::Side::response,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "add a header field beside those that are there",
    .help =
        "A field of this name and value stands after the last one of that name, else at the "
        "end; those that are there stay. req:NAME and res:NAME choose the half of an exchange; "
        "without a prefix it is the response, or the request for a field that only requests "
        "have (Host, Cookie, If-*, ...). The body is not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
