// Exchanges in, contents out, piece by piece. Heads and trailers are not looked at; a message
// without body, or whose body was withheld, gives nothing.
#include "format/body_sink.h"

namespace rehead::format {
namespace {

class BodySink final : public Sink {
 public:
  explicit BodySink(const SinkSetup& setup) : setup_(setup) {}

  Status write(http::Exchange& exchange) override {
    return exchange.for_each([&](http::Message& message) -> Status {
      if (message.body == nullptr || !setup_.selection.covers(exchange, message.kind)) return {};
      if (setup_.parts == nullptr) return copy(message.body->content());
      if (auto done = setup_.parts->body(message); !done) return done;
      if (auto done = copy(message.body->content()); !done) return done;
      return setup_.parts->end();
    });
  }

 private:
  Status copy(ByteSource& content) {
    while (true) {
      auto piece = content.pull();
      if (!piece) return fail(std::move(piece.error()));
      if (piece->kind == Piece::Kind::end) return {};
      auto done = piece->kind == Piece::Kind::idle ? setup_.output->flush()
                                                   : setup_.output->write(piece->bytes);
      if (!done) return done;
    }
  }

  SinkSetup setup_;
};

}  // namespace

std::unique_ptr<Sink> make_body_sink(const SinkSetup& setup) {
  return std::make_unique<BodySink>(setup);
}

}  // namespace rehead::format
