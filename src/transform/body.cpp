// body @FILE|TEXT: other content instead of the body's. What described the old content goes
// (Content-Encoding, ETag, digests, trailers), the length follows; chunked stays chunked.
// Leaves alone: messages that have no body to replace (with a warning): by status or method, or
// because it was not printed.
#include <array>

#include "transform/new_content.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class ReplaceBody final : public MessageTransform {
 public:
  ReplaceBody(http::Selection selection, std::string text)
      : MessageTransform(selection), text_(std::move(text)) {}

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (message.body == nullptr || (message.bodiless_status() && !message.notes.recorded)) {
      if (!message.interim()) {
        report(message, exchange,
               {.id = "no-body", .what = "there is no body to replace, left as it is"});
      }
      return {};
    }
    if (message.kind == http::Kind::response && message.start.status() == 206) {
      report(
          message, exchange,
          {.id = "partial", .what = "body of a 206 replaced, Content-Range is not true any more"});
    }
    forget_content(message);
    sources_[message].start(text_);
    message.body->replace(sources_[message], text_.size());
    message.delivery.discarded = false;
    return {};
  }

  std::string text_;
  http::PerHalf<TextSource> sources_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  if (!arguments.argument.starts_with('@')) {
    return std::make_unique<ReplaceBody>(arguments.selection, arguments.argument);
  }
  auto text = read_argument_file(arguments.argument, arguments.policy->limits.max_body);
  if (!text) return fail(std::move(text.error()));
  return std::make_unique<ReplaceBody>(arguments.selection, std::move(*text));
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead body 'gone for lunch' examples/data/redirect.http",
    "rehead body @examples/data/README.md examples/data/chunked.http",
};

}  // namespace

extern const TransformInfo kBody = {
    .name = "body",
    .argument = "@FILE|TEXT",
    .side = http::Side::response,
    .streaming = Streaming::stream,
    .group = "framing and body",
    .summary = "replace the body's content",
    .help =
        "TEXT, or the bytes of FILE, stand in the place of the decoded content. "
        "Content-Encoding, ETag, digests and trailers of the old content go; the length "
        "follows; Content-Type stays. Messages without a body stay as they are.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
