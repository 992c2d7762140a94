#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

using Framing = http::Delivery::Framing;

TEST_CASE("content-length: a length for every body, chunked ones too") {
  Drive drive("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nTrailer: X\nA: 1\n\nhello");
  drive.message.notes.framing = http::Framing::chunked;
  REQUIRE(drive.run("content-length"));
  REQUIRE(drive.fields() == "A: 1\n");
  REQUIRE(drive.message.delivery.framing == Framing::length);
}

TEST_CASE("content-length: a head alone keeps what it says") {
  for (const std::string_view text : {"HTTP/1.1 304 Not Modified\nContent-Length: 5\n",
                                      "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n",
                                      "HTTP/1.1 204 No Content\n", "GET / HTTP/1.1\nHost: h\n"}) {
    Drive drive(text);
    REQUIRE(drive.run("content-length"));
    REQUIRE_FALSE(drive.message.headers.changed());
    REQUIRE(drive.message.delivery.framing == Framing::as_found);
  }
}

TEST_CASE("content-length: --if-missing trusts what is stated") {
  const Options options = {{"if-missing", ""}};
  for (const std::string_view text : {"HTTP/1.1 200 OK\ncontent-length: 3\n\nhello",
                                      "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nhello"}) {
    Drive drive(text);
    REQUIRE(drive.run("content-length", "", options));
    REQUIRE(drive.message.delivery.framing == Framing::as_found);
  }
  Drive none("HTTP/1.1 200 OK\nA: 1\n\nhello");
  REQUIRE(none.run("content-length", "", options));
  REQUIRE(none.message.delivery.framing == Framing::length);
}

}  // namespace
}  // namespace rehead::transform
