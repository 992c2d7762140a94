// content-length: the body leaves under the length of the bytes that are written (RFC 9110 8.6).
// Leaves alone: messages without a body; a length on 304 or on the answer to HEAD, which is that of
// another message.
#include <array>

#include "transform/reframe.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class ContentLength final : public MessageTransform {
 public:
  ContentLength(http::Selection selection, bool if_missing)
      : MessageTransform(selection), if_missing_(if_missing) {}

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    const http::HeaderMap& headers = message.headers;
    if (if_missing_ && (headers.find("Content-Length") != nullptr ||
                        headers.find("Transfer-Encoding") != nullptr)) {
      return {};
    }
    frame_by_length(message, exchange);
    return {};
  }

  bool if_missing_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  return std::make_unique<ContentLength>(arguments.selection, arguments.has("if-missing"));
}

constexpr std::array<Option, 1> kOptions = {{
    {"if-missing", "", "only where neither a length nor a transfer coding is stated"},
}};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead content-length examples/data/chunked.http",
    "rehead inflate then content-length examples/data/gzip.http",
};

}  // namespace

extern const TransformInfo kContentLength = {
    .name = "content-length",
    .options = kOptions,
    .side = http::Side::response,
    .streaming = Streaming::hold,
    .group = "framing and body",
    .summary = "state the body's true length",
    .help =
        "Content-Length says the size of the body as it is written, in the place of the old "
        "one, else at the end; a body of unknown size is held for that, and chunks are taken "
        "off. Messages without a body are not touched: the length on a 304 or on the answer "
        "to HEAD is that of another message.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
