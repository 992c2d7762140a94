// rename OLD=NEW: every field OLD is called NEW, its place and value kept.
// Leaves alone: fields that are called NEW already; the body.
#include <array>

#include "http/field_name.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Rename final : public MessageTransform {
 public:
  Rename(http::FieldName from, std::string to)
      : MessageTransform({}), from_(std::move(from)), to_(std::move(to)) {}

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (!from_.covers(exchange, message)) return {};
    if (auto done = message.headers.rename(from_.text, to_); !done) {
      return fail(std::move(done.error()));
    }
    return {};
  }

  http::FieldName from_;
  std::string to_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  const std::string_view text = arguments.argument;
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    return fail(
        {Errc::usage, "rename-form", "OLD=NEW is needed, there is no =", "rename x-old=x-new"});
  }
  auto from = http::parse_name(text.substr(0, equals), arguments.selection);
  if (!from) return fail(std::move(from.error()));
  auto to = http::parse_name(text.substr(equals + 1), from->selection);
  if (!to) return fail(std::move(to.error()));
  if (to->selection != from->selection) {
    return fail({Errc::usage, "rename-side", "a field cannot change sides by its name",
                 "rename req:x-old=x-new"});
  }
  return std::make_unique<Rename>(std::move(*from), std::move(to->text));
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead rename x-powered-by=x-engine examples/data/redirect.http",
    "rehead rename server=Server -t headers examples/data/redirect.http",
};

}  // namespace

extern const TransformInfo kRename = {
    .name = "rename",
    .argument = "OLD=NEW",
    .options = {},
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "give header fields another name",
    .help =
        "Every field called OLD, in any case, is called NEW, spelt as typed. Places and values "
        "stay. A field NEW that is there already stays as well. The body is not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
