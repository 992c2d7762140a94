// chunk: the body leaves in chunks (RFC 9112 7.1), lower-case sizes, without being held.
// Leaves alone: versions other than HTTP/1.1, which have no chunks or must not see them; messages
// without a body; the chunks of a body that came in chunks, unless --size is given.
#include <array>

#include "base/ascii.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Chunk final : public MessageTransform {
 public:
  Chunk(http::Selection selection, std::uint64_t size) : MessageTransform(selection), size_(size) {}

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (message.body == nullptr || message.bodiless_status()) return {};
    if (!message.is_http11()) {
      report(message, exchange,
             {.level = Level::note, .id = "no-chunks", .what = "only HTTP/1.1 has chunks"});
      return {};
    }
    message.delivery.framing = http::Delivery::Framing::chunked;
    message.delivery.chunk_size = size_;
    return {};
  }

  std::uint64_t size_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  constexpr std::uint64_t kMax = std::uint64_t{1} << 30;
  std::uint64_t size = 0;
  if (arguments.has("size")) {
    size = ascii::parse_size(arguments.get("size")).value_or(0);
    if (size == 0 || size > kMax) {
      return fail({Errc::usage, "option-value", "--size is a number of bytes from 1 to 1G",
                   "chunk --size 8k"});
    }
  }
  return std::make_unique<Chunk>(arguments.selection, size);
}

constexpr std::array<Option, 1> kOptions = {{
    {"size", "SIZE", "bytes of content in each chunk, the last one may be shorter"},
}};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead chunk --size 100 examples/data/redirect.http",
    "rehead gzip then chunk examples/data/redirect.http",
};

}  // namespace

extern const TransformInfo kChunk = {
    .name = "chunk",
    .options = kOptions,
    .side = http::Side::response,
    .streaming = Streaming::stream,
    .group = "framing and body",
    .summary = "write the body in chunks",
    .help =
        "The body leaves in chunks, as it comes, and Transfer-Encoding: chunked stands for "
        "Content-Length. Only HTTP/1.1 has chunks: other versions stay as they are, and so do "
        "messages without a body. A body that came in chunks keeps its own unless --size is "
        "given.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
