#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

using Framing = http::Delivery::Framing;

TEST_CASE("chunk: marks the body, the head is the sink's") {
  Drive drive("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello");
  REQUIRE(drive.run("chunk"));
  REQUIRE(drive.message.delivery.framing == Framing::chunked);
  REQUIRE(drive.message.delivery.chunk_size == 0);
  REQUIRE(drive.run("chunk", "", {{"size", "2k"}}));
  REQUIRE(drive.message.delivery.chunk_size == 2048);
}

TEST_CASE("chunk: only HTTP/1.1, and only with a body") {
  for (const std::string_view text :
       {"HTTP/1.0 200 OK\n\nhello", "HTTP/2 200 \n\nhello", "HTTP/3 200 \n\nhello"}) {
    Drive drive(text);
    REQUIRE(drive.run("chunk"));
    REQUIRE(drive.message.delivery.framing == Framing::as_found);
    REQUIRE(drive.log.ids() == "no-chunks");
  }
  Drive head("HTTP/1.1 200 OK\nContent-Length: 5\n");
  REQUIRE(head.run("chunk"));
  REQUIRE(head.message.delivery.framing == Framing::as_found);
}

TEST_CASE("chunk: refuses sizes that are none") {
  for (const std::string size :
       {"", "0", "-1", "1.5k", "k", "2G", "0x10", "99999999999999999999"}) {
    CAPTURE(size);
    REQUIRE(refuses("chunk", "", {{"size", size}}));
  }
  REQUIRE_FALSE(refuses("chunk", "", {{"size", "1G"}}));
}

}  // namespace
}  // namespace rehead::transform
