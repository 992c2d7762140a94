// Exchanges in, heads out. The framing fields leave as they were read; where a step changed how the
// message leaves they say how. Only then is a body read, if its size has to be known.
#include "format/headers_sink.h"

#include "codec/content.h"
#include "format/head_writer.h"
#include "format/wire_fit.h"

namespace rehead::format {
namespace {

class HeadersSink final : public Sink {
 public:
  explicit HeadersSink(const SinkSetup& setup) : setup_(setup), content_(*setup.policy) {}

  Status write(http::Exchange& exchange) override {
    content_.forget();
    auto settled = content_.settle(exchange);
    auto written = heads(exchange);
    return written ? settled : written;
  }

 private:
  Status heads(http::Exchange& exchange) {
    return exchange.for_each([&](http::Message& message) -> Status {
      if (!setup_.selection.covers(exchange, message.kind)) return {};
      if (!fit_entry_line(exchange, message)) return {};
      auto there = fit_start_line(message, *setup_.policy);
      if (!there) return fail(std::move(there.error()));
      if (!*there) return {};
      if (setup_.parts == nullptr) return write_head(message, *setup_.policy, *setup_.output);
      if (auto done = setup_.parts->head(message); !done) return done;
      if (auto done = write_head(message, *setup_.policy, *setup_.output); !done) return done;
      return setup_.parts->end();
    });
  }

  SinkSetup setup_;
  codec::Content content_;
};

}  // namespace

std::unique_ptr<Sink> make_headers_sink(const SinkSetup& setup) {
  return std::make_unique<HeadersSink>(setup);
}

}  // namespace rehead::format
