// strip-hop: takes out the fields that are for one connection only, as a proxy does before it
// forwards (RFC 9110 7.6.1): Connection, every field it names, and those known to be hop-by-hop.
// Transfer-Encoding goes by framing the body by its length.
// Leaves alone: 101, which means nothing without Connection and Upgrade; end-to-end fields that
// Connection names by mistake (with a warning).
#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "http/field_value.h"
#include "transform/reframe.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

constexpr std::array<std::string_view, 8> kHopByHop = {"Connection",
                                                       "Keep-Alive",
                                                       "Proxy-Authenticate",
                                                       "Proxy-Authorization",
                                                       "Proxy-Connection",
                                                       "TE",
                                                       "Trailer",
                                                       "Upgrade"};

/// Meant for all recipients: naming them in Connection is a mistake (RFC 9110 7.6.1).
bool end_to_end(std::string_view name) {
  return ascii::starts_with(name, "Content-") || ascii::equal(name, "Cache-Control") ||
         ascii::equal(name, "Host") || ascii::equal(name, "Set-Cookie");
}

class StripHop final : public MessageTransform {
 public:
  using MessageTransform::MessageTransform;

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (message.kind == http::Kind::response && message.start.status() == 101) return {};
    if (is_chunked(message)) frame_by_length(message, exchange);
    named_.clear();
    http::for_each_item(message.headers, "Connection",
                        [&](std::string_view name) { named_.push_back(name); });
    std::ranges::sort(named_, ascii::before);
    message.headers.remove_if([&](const http::Field& field) {
      const std::string_view name = field.name();
      if (std::ranges::any_of(kHopByHop, [&](auto hop) { return ascii::equal(hop, name); })) {
        return true;
      }
      // Over a body it is the sink's, whatever names it.
      if (ascii::equal(name, "Transfer-Encoding")) return message.body == nullptr;
      if (!std::ranges::binary_search(named_, name, ascii::before)) return false;
      if (!end_to_end(name)) return true;
      report(message, exchange,
             {.id = "connection-end-to-end",
              .what = "Connection names " + ascii::quoted(name) + ", which is end-to-end: kept"});
      return false;
    });
    return {};
  }

  std::vector<std::string_view> named_;
};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead strip-hop examples/data/chunked.http",
    "rehead strip-hop -t headers examples/data/redirect.http",
};

}  // namespace

extern const TransformInfo kStripHop = {
    .name = "strip-hop",
    .side = http::Side::both,
    .streaming = Streaming::hold,
    .group = "headers",
    .summary = "remove what is meant for one connection only",
    .help =
        "Connection and every field it names go, as do Keep-Alive, Proxy-Authenticate, "
        "Proxy-Authorization, Proxy-Connection, TE, Trailer and Upgrade. Of a chunked body the "
        "chunks are taken off and Content-Length says its size; for that it is held. 101 "
        "responses stay as they are.",
    .examples = kExamples,
    .make = make_plain<StripHop>,
};

}  // namespace rehead::transform
