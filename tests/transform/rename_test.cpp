#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("rename: every instance, in its place, with its value") {
  Drive drive("HTTP/1.1 200 OK\nX-Old: 1\nA: a\nx-old: 2\nX-New: 3\n");
  REQUIRE(drive.run("rename", "x-OLD=X-New"));
  REQUIRE(drive.fields() == "X-New: 1\nA: a\nX-New: 2\nX-New: 3\n");
}

TEST_CASE("rename: another spelling of the same name") {
  Drive drive("HTTP/1.1 200 OK\nserver: a\nSERVER: b\nServer: c\n");
  REQUIRE(drive.run("rename", "server=Server"));
  REQUIRE(drive.fields() == "Server: a\nServer: b\nServer: c\n");
}

TEST_CASE("rename: an absent name is no change") {
  Drive drive("HTTP/1.1 200 OK\nA: 1\n");
  REQUIRE(drive.run("rename", "b=c"));
  REQUIRE(drive.run("rename", "req:a=x"));
  REQUIRE(drive.run("rename", "res:a=A"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

TEST_CASE("rename: a value no line could hold is kept") {
  Drive drive("HTTP/1.1 200 OK\nA: x\\ry\n");
  REQUIRE(drive.run("rename", "a=b"));
  REQUIRE(drive.fields() == "b: x\ry\n");
  REQUIRE(drive.message.headers.find("b")->has(http::Field::odd));
}

TEST_CASE("rename: a pattern selects fields, a quoted name is literal") {
  Drive drive("HTTP/1.1 200 OK\nX-A: 1\nY: 2\nx-b: 3\nx-*: 4\n");
  REQUIRE(drive.run("rename", "'x-*'=z"));
  REQUIRE(drive.fields() == "X-A: 1\nY: 2\nx-b: 3\nz: 4\n");
  REQUIRE(drive.run("rename", "x-?=w"));
  REQUIRE(drive.fields() == "w: 1\nY: 2\nw: 3\nz: 4\n");
}

TEST_CASE("rename: refuses what is no pair of names on one side") {
  for (const std::string text : {"", "a", "=b", "a=", "a=b c", "a b=c", "x-*=y-*", "a,b=c", "a=b=c",
                                 "req:a=res:b", ":status=a", "a=:status"}) {
    CAPTURE(text);
    REQUIRE(refuses("rename", text));
  }
  REQUIRE_FALSE(refuses("rename", "req:a=req:b"));
}

}  // namespace
}  // namespace rehead::transform
