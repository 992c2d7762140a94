#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

constexpr std::string_view kMessage =
    "HTTP/1.1 200 OK\nServer: a\nContent-Type: t\nX-A: 1\ncontent-length: 5\n\nhello";

TEST_CASE("keep: all fields but those of these names go") {
  Drive drive(kMessage);
  REQUIRE(drive.run("keep", "content-*,SERVER"));
  REQUIRE(drive.fields() == "Server: a\nContent-Type: t\ncontent-length: 5\n");
}

TEST_CASE("keep: a side that no name is for stays") {
  Drive drive(kMessage);
  REQUIRE(drive.run("keep", "req:host"));
  REQUIRE_FALSE(drive.message.headers.changed());
  REQUIRE(drive.run("keep", "req:server,res:x-a"));
  REQUIRE(drive.fields() == "X-A: 1\n");
}

TEST_CASE("keep: refuses what is no list of names") {
  REQUIRE(refuses("keep", ""));
  REQUIRE(refuses("keep", "a.har"));
}

}  // namespace
}  // namespace rehead::transform
