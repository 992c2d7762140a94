#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

constexpr std::string_view kMessage =
    "HTTP/1.1 200 OK\nServer: a\nX-A: 1\nSERVER: b\nx-b: 2\n\nhello";

TEST_CASE("remove: every instance goes, in any case") {
  Drive drive(kMessage);
  REQUIRE(drive.run("remove", "server"));
  REQUIRE(drive.fields() == "X-A: 1\nx-b: 2\n");
}

TEST_CASE("remove: a star stands for any run of characters") {
  Drive drive(kMessage);
  REQUIRE(drive.run("remove", "x-*"));
  REQUIRE(drive.fields() == "Server: a\nSERVER: b\n");
}

TEST_CASE("remove: an absent name is no change") {
  Drive drive(kMessage);
  REQUIRE(drive.run("remove", "none,y-*"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

TEST_CASE("remove: a prefix says which side is meant") {
  Drive drive(kMessage);
  REQUIRE(drive.run("remove", "req:server,res:x-a"));
  REQUIRE(drive.fields() == "Server: a\nSERVER: b\nx-b: 2\n");
  drive.as_entry();
  REQUIRE(drive.run("remove", "req:x-b , server"));
  REQUIRE(drive.fields() == "x-b: 2\n");
}

TEST_CASE("remove: names that are no tokens can be taken out, as HAR has them") {
  Drive drive("GET / HTTP/1.1\n:authority: h\nA: 1\n");
  REQUIRE(drive.run("remove", ":*"));
  REQUIRE(drive.fields() == "A: 1\n");
}

TEST_CASE("remove: refuses what is no list of names") {
  for (const std::string text :
       {"", "a,", ",a", "a,,b", "a: 1", "b,req:a:b", "req:", "x.har", "x.http", "a.gz", "b.json"}) {
    CAPTURE(text);
    REQUIRE(refuses("remove", text));
  }
}

}  // namespace
}  // namespace rehead::transform
