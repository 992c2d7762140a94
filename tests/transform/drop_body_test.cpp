#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("drop-body: an empty body under a length") {
  Drive drive("HTTP/1.1 200 OK\nContent-Encoding: gzip\nTransfer-Encoding: chunked\nA: 1\n\nhello");
  drive.message.notes.framing = http::Framing::chunked;
  REQUIRE(drive.run("drop-body"));
  REQUIRE(drive.message.headers.find("Content-Encoding") == nullptr);
  REQUIRE(drive.message.body->size() == 0);
  REQUIRE(drive.message.body->touched());
  REQUIRE(drive.content().empty());
  REQUIRE(drive.message.delivery.framing == http::Delivery::Framing::length);
}

TEST_CASE("drop-body: in an entry what was recorded stays") {
  Drive drive("HTTP/1.1 200 OK\nContent-Encoding: gzip\nETag: \"a\"\n\nhello");
  drive.as_entry();
  REQUIRE(drive.run("drop-body"));
  REQUIRE_FALSE(drive.message.headers.changed());
  REQUIRE(drive.message.delivery.discarded);
  REQUIRE(drive.content().empty());
}

TEST_CASE("drop-body: a head alone is not touched") {
  Drive drive("HTTP/1.1 304 Not Modified\nETag: \"a\"\n");
  REQUIRE(drive.run("drop-body"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

}  // namespace
}  // namespace rehead::transform
