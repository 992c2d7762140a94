#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("redact: fields lose their secrets, other fields stay") {
  Drive drive(
      "HTTP/1.1 200 OK\nSet-Cookie: sid=31d4; Path=/\nX-Api-Key: k\nETag: \"e\"\n"
      "Location: /cb?code=7&q=1\n\nhello");
  REQUIRE(drive.run("redact"));
  REQUIRE(drive.fields() ==
          "Set-Cookie: sid=REDACTED; Path=/\nX-Api-Key: REDACTED\nETag: \"e\"\n"
          "Location: /cb?code=REDACTED&q=1\n");
}

TEST_CASE("redact: a message without secrets is not changed") {
  Drive drive("HTTP/1.1 200 OK\nContent-Type: text/html\nETag: \"e\"\n\nhello");
  REQUIRE(drive.run("redact"));
  REQUIRE_FALSE(drive.message.headers.changed());
  REQUIRE_FALSE(drive.message.body->touched());
}

TEST_CASE("redact: a body of a response is opened with --text alone") {
  Drive closed("HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"token\":1}");
  REQUIRE(closed.run("redact"));
  REQUIRE_FALSE(closed.message.body->touched());
  Drive opened("HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"token\":1}");
  REQUIRE(opened.run("redact", {}, {{"text", ""}}));
  REQUIRE(opened.content() == "{\"token\":\"REDACTED\"}");
}

}  // namespace
}  // namespace rehead::transform
