// dechunk: a chunked body leaves under a Content-Length instead (RFC 9112 7.1.3).
// Leaves alone: bodies that are not chunked; heads without a body (HEAD, 304), whose
// Transfer-Encoding tells of another message.
#include <array>

#include "transform/reframe.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

using Trailers = http::Delivery::Trailers;

class Dechunk final : public MessageTransform {
 public:
  Dechunk(http::Selection selection, Trailers trailers)
      : MessageTransform(selection), trailers_(trailers) {}

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (!is_chunked(message)) return {};
    if (frame_by_length(message, exchange)) message.delivery.trailers = trailers_;
    return {};
  }

  Trailers trailers_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  const std::string how = arguments.get("trailers", "drop");
  if (how != "drop" && how != "merge" && how != "keep") {
    return fail({Errc::usage, "option-value", "--trailers is one of drop, merge, keep", {}});
  }
  return std::make_unique<Dechunk>(arguments.selection, how == "drop"    ? Trailers::drop
                                                        : how == "merge" ? Trailers::merge
                                                                         : Trailers::keep);
}

constexpr std::array<Option, 1> kOptions = {{
    {"trailers", "HOW", "drop (default), merge into the header, keep where the output has a place",
     '\0', "drop,merge,keep"},
}};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead dechunk examples/data/chunked.http",
    "rehead dechunk --trailers merge then inflate examples/data/chunked.http",
};

}  // namespace

extern const TransformInfo kDechunk = {
    .name = "dechunk",
    .options = kOptions,
    .side = http::Side::response,
    .streaming = Streaming::hold,
    .group = "framing and body",
    .summary = "replace chunked framing by a length",
    .help =
        "Of a chunked body the chunks are taken off and Content-Length says its size; for that "
        "it is held. Transfer-Encoding and Trailer go. The same where curl took the chunks "
        "off and the head still claims them.\n\n"
        "Trailer fields are dropped, merged into the header (not those about framing, content, "
        "cookies or credentials), or kept where the output has a place for them. Other bodies "
        "are not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
