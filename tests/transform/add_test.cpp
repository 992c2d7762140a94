#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("add: stands after the last of its name, else at the end") {
  Drive drive("HTTP/1.1 200 OK\nVary: a\nServer: s\nvary: b\nX: 1\n");
  REQUIRE(drive.run("add", "Vary:  c "));
  REQUIRE(drive.run("add", "New:"));
  REQUIRE(drive.fields() == "Vary: a\nServer: s\nvary: b\nVary: c\nX: 1\nNew: \n");
}

TEST_CASE("add: the response is meant, unless a prefix says otherwise") {
  Drive request("GET / HTTP/1.1\nHost: h\n");
  request.as_entry();
  REQUIRE(request.run("add", "A: 1"));
  REQUIRE(request.fields() == "Host: h\n");
  REQUIRE(request.run("add", "req:A: 1"));
  REQUIRE(request.fields() == "Host: h\nA: 1\n");
}

TEST_CASE("add: refuses what is no field") {
  for (const std::string text : {"", "a", ": v", ":status: 503", "a b: c", "X:\ty\nz"}) {
    CAPTURE(text);
    REQUIRE(refuses("add", text));
  }
}

}  // namespace
}  // namespace rehead::transform
