#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("join: values of one name in one line, in the place of the first") {
  Drive drive("HTTP/1.1 200 OK\nVary: Cookie\nX-A: 1\nvary: Origin\nX-B: 2\nVARY:\n");
  REQUIRE(drive.run("join", "vary"));
  REQUIRE(drive.fields() == "Vary: Cookie, Origin\nX-A: 1\nX-B: 2\n");
}

TEST_CASE("join: a star takes every name but Set-Cookie; Cookie has its own separator") {
  Drive drive(
      "POST / HTTP/1.1\nCookie: a=1\nVia: x\nSet-Cookie: a\nCookie: b=2\nVia: y\nset-cookie: b\n");
  REQUIRE(drive.run("join", "*"));
  REQUIRE(drive.fields() == "Cookie: a=1; b=2\nVia: x, y\nSet-Cookie: a\nset-cookie: b\n");
}

TEST_CASE("join: fields that stand once, and odd ones, are not touched") {
  Drive drive("HTTP/1.1 200 OK\nA: 1\nB: x\\ry\nB: z\n");
  REQUIRE(drive.run("join", "*"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

TEST_CASE("join: refuses Set-Cookie by name") {
  REQUIRE(refuses("join", "vary,set-cookie"));
  REQUIRE(refuses("join", "res:Set-Cookie"));
  REQUIRE(refuses("join", ""));
  REQUIRE_FALSE(refuses("join", "set-*"));
}

}  // namespace
}  // namespace rehead::transform
