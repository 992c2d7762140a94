// A body read ahead is still whole: over all captures of what curl prints, and over their NDJSON.
#include "http/held_body.h"

#include <catch2/catch.hpp>

#include "corpus.h"
#include "format/convert.h"

namespace rehead::format {
namespace {

std::string drained(ByteSource& source) {
  std::string out;
  while (true) {
    auto piece = source.pull();
    if (!piece) return out + "<" + std::string(piece.error().id) + ">";
    if (piece->kind == Piece::Kind::end) return out;
    out += piece->bytes;
  }
}

/// Reads every body ahead, looks at it twice, and leaves it as if nobody had.
class LookAhead {
 public:
  explicit LookAhead(std::size_t memory) : memory_(memory) {}
  void operator()(http::Exchange& exchange) {
    http::Message& message = exchange.request != nullptr ? *exchange.request : *exchange.response;
    if (message.body == nullptr) return;
    const bool whole = held_->hold(*message.body, memory_).has_value();
    const std::string content = drained(message.body->content());
    held_->rewind();
    if (whole) {
      const auto size = held_->size();
      REQUIRE(size);
      REQUIRE(*size == content.size());
      REQUIRE(message.body->size() == content.size());
    }
    REQUIRE(drained(message.body->content()) == content);
    held_->rewind();
  }

 private:
  std::size_t memory_;
  std::shared_ptr<http::HeldBody> held_ = std::make_shared<http::HeldBody>();
};

TEST_CASE("held body: whoever looked leaves no trace, in no capture and in no format") {
  for (const auto& path : files_under(REHEAD_TEST_DATA "/captures")) {
    if (path.extension() != ".wire" && path.extension() != ".out") continue;
    INFO(path.filename().string());
    const std::string bytes = read_whole(path);
    for (const std::string_view to : {"http", "ndjson", "body"}) {
      const Converted plain = convert(bytes, {.to = to});
      for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 20}) {
        const Converted looked = convert(bytes, {.to = to, .each = LookAhead(memory)});
        CHECK(looked.output == plain.output);
        CHECK(looked.errors == plain.errors);
      }
    }
    const std::string json = convert(bytes, {.to = "ndjson"}).output;
    const Converted plain = convert(json, {.from = "ndjson"});
    CHECK(convert(json, {.from = "ndjson", .each = LookAhead(0)}).output == plain.output);
  }
}

TEST_CASE("held body: chunk lines, extensions and trailers leave as they came") {
  const std::string wire =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n"
      "003;a=b\r\nabc\r\n1\r\nd\r\n0;last\r\nX: 1\r\n\r\n";
  for (std::size_t step = 1; step < 9; ++step) {
    CHECK(convert(wire, {.step = step, .each = LookAhead(1)}).output == wire);
  }
}

TEST_CASE("held body: trailers behind a body without chunks leave as they came") {
  const std::string printed = "HTTP/2 200 \r\ntrailer: x\r\n\r\nabc\r\nx: 1\r\n";
  CHECK(convert(printed).output == printed);
  CHECK(convert(printed, {.each = LookAhead(1)}).output == printed);
}

}  // namespace
}  // namespace rehead::format
