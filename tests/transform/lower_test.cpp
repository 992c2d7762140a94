#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("lower: names in lower case, values and places kept") {
  Drive drive("HTTP/1.1 200 OK\nServer: Nginx\nX-A: B\nserver: C\n");
  REQUIRE(drive.run("lower"));
  REQUIRE(drive.fields() == "server: Nginx\nx-a: B\nserver: C\n");
}

TEST_CASE("lower: names in lower case already are no change, and odd ones stay") {
  Drive drive("GET / HTTP/1.1\nhost: H\n:Path X: /\n");
  REQUIRE(drive.run("lower"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

}  // namespace
}  // namespace rehead::transform
