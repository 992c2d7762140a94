#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

std::string without(std::string_view message, std::string names) {
  Drive drive(message);
  REQUIRE(drive.run("remove-cookie", std::move(names)));
  return drive.fields();
}

TEST_CASE(
    "remove-cookie: that cookie in Set-Cookie and Cookie, exact case, the others byte for byte") {
  REQUIRE(without("HTTP/1.1 200 OK\nSet-Cookie: sid=1;Path=/\nSet-Cookie:  SID=2 ;;x\n"
                  "Set-Cookie: b=1, sid=2, c=3\nSet-Cookie:\n",
                  "sid") ==
          "Set-Cookie: SID=2 ;;x\nSet-Cookie: b=1\nSet-Cookie: c=3\nSet-Cookie: \n");
  REQUIRE(without("GET / HTTP/1.1\nCookie: sid=1;a=2;  b =3; sid=4\nHost: h\n", "sid") ==
          "Cookie: a=2;  b =3\nHost: h\n");
  REQUIRE(without("GET / HTTP/1.1\nCookie: a=2;sid=1; b=3\ncookie: sid=1\n", "sid") ==
          "Cookie: a=2; b=3\n");
}

TEST_CASE("remove-cookie: globs and sides") {
  REQUIRE(without("HTTP/1.1 200 OK\nSet-Cookie: _ga=1\nSet-Cookie: _gid=2\nSet-Cookie: g=3\n",
                  "_g*") == "Set-Cookie: g=3\n");
  REQUIRE(without("HTTP/1.1 200 OK\nSet-Cookie: a=1\nSet-Cookie: b=2\n", "req:a,res:b") ==
          "Set-Cookie: a=1\n");
  REQUIRE(without("HTTP/1.1 200 OK\nSet-Cookie: a=1\nA: 1\nSet-Cookie:\n", "*") == "A: 1\n");
}

TEST_CASE("remove-cookie: an absent cookie is no change") {
  Drive drive("HTTP/1.1 200 OK\nSet-Cookie: a=1, b=2\nCookie: c=3;d=4;\n");
  REQUIRE(drive.run("remove-cookie", "x"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

TEST_CASE("remove-cookie: refuses what is no list of names") {
  REQUIRE(refuses("remove-cookie", "a,"));
}

}  // namespace
}  // namespace rehead::transform
