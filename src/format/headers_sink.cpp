// Exchanges in, heads out. Bodies are not read and not judged, so nothing is said about how long
// they are: the framing fields leave as the map has them.
#include "format/headers_sink.h"

#include "format/head_writer.h"
#include "format/wire_fit.h"

namespace rehead::format {
namespace {

class HeadersSink final : public Sink {
 public:
  explicit HeadersSink(const SinkSetup& setup) : setup_(setup) {}

  Status write(http::Exchange& exchange) override {
    return exchange.for_each([&](http::Message& message) -> Status {
      if (!setup_.selection.covers(exchange, message.kind)) return {};
      if (!fit_entry_line(exchange, message)) return {};
      auto there = fit_start_line(message, *setup_.policy);
      if (!there) return fail(std::move(there.error()));
      if (!*there) return {};
      return write_head(message, *setup_.policy, *setup_.output);
    });
  }

 private:
  SinkSetup setup_;
};

}  // namespace

std::unique_ptr<Sink> make_headers_sink(const SinkSetup& setup) {
  return std::make_unique<HeadersSink>(setup);
}

}  // namespace rehead::format
