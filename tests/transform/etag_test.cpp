#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("etag: a weak one, from the content, at the end") {
  Drive drive("HTTP/1.1 200 OK\nA: 1\n\nabc");
  REQUIRE(drive.run("etag"));
  REQUIRE(drive.fields() == "A: 1\nETag: W/\"ba7816bf8f01cfea414140de5dae2223\"\n");
  REQUIRE(drive.message.body->size() == 3);
  REQUIRE(drive.content() == "abc");
}

TEST_CASE("etag: from the content as the chain left it") {
  Drive drive("HTTP/1.1 201 Created\n\nold");
  REQUIRE(drive.run("body", "abc"));
  REQUIRE(drive.run("etag"));
  REQUIRE(drive.fields() == "ETag: W/\"ba7816bf8f01cfea414140de5dae2223\"\n");
}

TEST_CASE("etag: other statuses, empty and endless bodies and tagged ones are not touched") {
  for (const std::string_view text :
       {"HTTP/1.1 404 x\nA: 1\n\nabc", "HTTP/1.1 206 x\nA: 1\n\nabc", "HTTP/1.1 200 x\nA: 1\n\n",
        "HTTP/1.1 200 x\nA: 1\n", "HTTP/1.1 200 x\netag: \"x\"\n\nabc",
        "POST / HTTP/1.1\nA: 1\n\nabc",
        "HTTP/1.1 200 x\nContent-Type: text/event-stream; charset=utf-8\n\nabc"}) {
    CAPTURE(text);
    Drive drive(text);
    REQUIRE(drive.run("etag"));
    REQUIRE_FALSE(drive.message.headers.changed());
  }
}

TEST_CASE("etag: a body that breaks off gets none, and breaks off the same for the sink") {
  class Broken final : public ByteSource {
   public:
    Result<Piece> pull() override {
      if (given_) return fail({Errc::syntax, "cut", "body cut"});
      given_ = true;
      return Piece{Piece::Kind::bytes, "abc"};
    }

   private:
    bool given_ = false;
  };
  Drive drive("HTTP/1.1 200 OK\nA: 1\n\nabc");
  Broken broken;
  drive.message.body->start(broken, broken, std::nullopt);
  REQUIRE(drive.run("etag"));
  REQUIRE(drive.fields() == "A: 1\n");
  REQUIRE(drive.message.body->content().pull()->bytes == "abc");
  REQUIRE_FALSE(drive.message.body->content().pull());
}

}  // namespace
}  // namespace rehead::transform
