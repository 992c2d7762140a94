#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

std::string after(std::string_view message, std::string spec) {
  Drive drive(message);
  REQUIRE(drive.run("set-cookie", std::move(spec)));
  return drive.fields();
}

TEST_CASE("set-cookie: that cookie in its place, others of its name go") {
  const std::string_view message =
      "HTTP/1.1 200 OK\nSet-Cookie: a=1; Path=/\nSet-Cookie: b=2\nSet-Cookie: a=3; Path=/x\n";
  REQUIRE(after(message, "a=9; Secure") == "Set-Cookie: a=9; Secure\nSet-Cookie: b=2\n");
  REQUIRE(after(message, "a=9; path=/x") ==
          "Set-Cookie: a=1; Path=/\nSet-Cookie: b=2\nSet-Cookie: a=9; path=/x\n");
  REQUIRE(after(message, "a=9; Domain=x.example") ==
          "Set-Cookie: a=1; Path=/\nSet-Cookie: b=2\nSet-Cookie: a=3; Path=/x\n"
          "Set-Cookie: a=9; Domain=x.example\n");
}

TEST_CASE("set-cookie: a new one is appended, blank ones stay") {
  REQUIRE(after("HTTP/1.1 200 OK\nA: 1\n", "a=1") == "A: 1\nSet-Cookie: a=1\n");
  REQUIRE(after("HTTP/1.1 200 OK\nSet-Cookie:\nA: 1\n", "b=2") ==
          "Set-Cookie: \nSet-Cookie: b=2\nA: 1\n");
}

TEST_CASE("set-cookie: in a request the pair in Cookie") {
  REQUIRE(after("GET / HTTP/1.1\nCookie: x=1;a=2 ;b=3\nA: 1\nCookie: a=4\n", "a=9; Path=/") ==
          "Cookie: x=1;a=9;b=3\nA: 1\n");
  REQUIRE(after("GET / HTTP/1.1\nCookie: x=1\n", "a=9") == "Cookie: x=1; a=9\n");
  REQUIRE(after("GET / HTTP/1.1\nHost: h\n", "a=9") == "Host: h\nCookie: a=9\n");
}

TEST_CASE("set-cookie: attributes of the cookies that are there") {
  const std::string_view message =
      "HTTP/1.1 200 OK\nSet-Cookie: a=1;  secure; samesite=lax;Domain=x\nSet-Cookie: "
      "b=2\nSet-Cookie:\n";
  REQUIRE(after(message, "*; SameSite=None; Secure; !Domain") ==
          "Set-Cookie: a=1; Secure; SameSite=None\nSet-Cookie: b=2; SameSite=None; Secure\n"
          "Set-Cookie: \n");
  REQUIRE(after(message, "A; Secure") ==
          "Set-Cookie: a=1;  secure; samesite=lax;Domain=x\nSet-Cookie: b=2\nSet-Cookie: \n");
  REQUIRE(after("HTTP/1.1 200 OK\nSet-Cookie: a=1; Path=/x; Path=/y, b=2\n", "a; Path=/") ==
          "Set-Cookie: a=1; Path=/\nSet-Cookie: b=2\n");
}

TEST_CASE("set-cookie: what is so already is no change") {
  Drive drive("HTTP/1.1 200 OK\nSet-Cookie: a=1;Secure;Path=/\nSet-Cookie: b=1, c=2\n");
  REQUIRE(drive.run("set-cookie", "a;Path=/; Secure; !Domain"));
  REQUIRE(drive.run("set-cookie", "a=1;Secure;Path=/"));
  REQUIRE(drive.run("set-cookie", "none; Secure"));
  REQUIRE_FALSE(drive.message.headers.changed());
  Drive request("GET / HTTP/1.1\nCookie: a=1;b=2\n");
  REQUIRE(request.run("set-cookie", "b=2; Path=/"));
  REQUIRE(request.run("set-cookie", "b; Secure"));
  REQUIRE_FALSE(request.message.headers.changed());
}

TEST_CASE("set-cookie: refuses what is no cookie") {
  for (const std::string spec : {"", "a", "a;", ";Secure", "=1", "a b=1", "a=1\r\nX: y",
                                 "a=1; !Path", "a=\x7f", "res:a=1"}) {
    CAPTURE(spec);
    REQUIRE(refuses("set-cookie", spec));
  }
}

}  // namespace
}  // namespace rehead::transform
