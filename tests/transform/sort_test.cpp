#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("sort: by name in any case, fields of one name in their order") {
  Drive drive("HTTP/1.1 200 OK\nb: 1\nA: 2\nB: 3\na: 4\nAa: 5\n");
  REQUIRE(drive.run("sort"));
  REQUIRE(drive.fields() == "A: 2\na: 4\nAa: 5\nb: 1\nB: 3\n");
}

TEST_CASE("sort: removed fields do not come back") {
  Drive drive("HTTP/1.1 200 OK\nB: 1\nC: 2\nA: 3\n");
  REQUIRE(drive.run("remove", "c"));
  REQUIRE(drive.run("sort"));
  REQUIRE(drive.fields() == "A: 3\nB: 1\n");
  REQUIRE(drive.message.headers.find("C") == nullptr);
  REQUIRE(drive.message.headers.find("b")->value() == "1");
}

TEST_CASE("sort: what is in order is no change") {
  Drive drive("HTTP/1.1 200 OK\nA: 1\na: 2\nB: 3\n");
  REQUIRE(drive.run("sort"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

}  // namespace
}  // namespace rehead::transform
