// rename OLD=NEW: every field OLD (a glob) is called NEW, its place and value kept.
// Leaves alone: fields that are called NEW already; the body.
#include <array>

#include "base/ascii.h"
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
    // Renaming moves no field, so the walk goes on.
    Status done;
    from_.any(message, [&](const http::Field& field) {
      if (field.name() != to_) done = message.headers.rename(field, to_);
      return !done;
    });
    return done;
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
  auto names = http::parse_names(text.substr(0, equals), arguments.selection);
  if (!names) return fail(std::move(names.error()));
  if (names->size() != 1) {
    return fail({Errc::usage, "rename-form", "one OLD is renamed by one step", "rename 'x-*=x-new'"});
  }
  http::FieldName& from = names->front();
  if (from.text.starts_with(':') && !from.literal && !from.selection.chosen) {
    return fail({Errc::usage, "pseudo-field", ascii::quoted(from.text) + " is no header field",
                 "set changes pseudo-fields; a header field of that name: req" + from.text});
  }
  auto to = http::parse_name(text.substr(equals + 1), from.selection);
  if (!to) return fail(std::move(to.error()));
  if (to->selection != from.selection) {
    return fail({Errc::usage, "rename-side", "a field cannot change sides by its name",
                 "rename req:x-old=x-new"});
  }
  return std::make_unique<Rename>(std::move(from), std::move(to->text));
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead rename x-powered-by=x-engine examples/data/redirect.http",
    "rehead rename server=Server -t headers examples/data/redirect.http",
};

}  // namespace

extern const TransformInfo kRename = {
    .name = "rename",
    .argument = "OLD=NEW",
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "give header fields another name",
    .help =
        "Every field called OLD, in any case, * for any run of characters, is called NEW, spelt as typed. Places and values "
        "stay. A field NEW that is there already stays as well. The body is not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
