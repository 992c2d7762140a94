#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

std::string merge(std::string_view message, Options options = {}) {
  Drive drive(message);
  REQUIRE(drive.run("merge-cookies", "", std::move(options)));
  return drive.fields();
}

TEST_CASE("merge-cookies: of equal cookies the last stays, in the place of the first") {
  REQUIRE(
      merge("HTTP/1.1 200 OK\nSet-Cookie: a=1\nX: x\nSet-Cookie: b=2\nset-cookie: a=3; Secure\n") ==
      "Set-Cookie: a=3; Secure\nX: x\nSet-Cookie: b=2\n");
}

TEST_CASE("merge-cookies: name exact, domain in any case, path tell cookies apart") {
  const std::string_view different =
      "HTTP/1.1 200 OK\nSet-Cookie: a=1\nSet-Cookie: A=1\nSet-Cookie: a=1; Domain=x.example\n"
      "Set-Cookie: a=1; Path=/a\nSet-Cookie: a=1; Path=/A\nSet-Cookie: b=1; Path=/; Path=/b\n"
      "Set-Cookie: b=1; Path=/\n";
  Drive drive(different);
  REQUIRE(drive.run("merge-cookies"));
  REQUIRE_FALSE(drive.message.headers.changed());
  REQUIRE(merge("HTTP/1.1 200 OK\nSet-Cookie: a=1; domain=.X.example;path=/\n"
                "Set-Cookie: a=2; Path=/; Domain=x.Example\n") ==
          "Set-Cookie: a=2; Path=/; Domain=x.Example\n");
}

TEST_CASE("merge-cookies: splits, drops blanks, keeps duplicates when asked") {
  const std::string_view message =
      "HTTP/1.1 200 OK\nSet-Cookie: a=1, b=2\nSet-Cookie:\nSet-Cookie: a=3\n";
  REQUIRE(merge(message) == "Set-Cookie: a=3\nSet-Cookie: b=2\n");
  REQUIRE(merge(message, {{"keep-duplicates", ""}}) ==
          "Set-Cookie: a=1\nSet-Cookie: b=2\nSet-Cookie: a=3\n");
}

TEST_CASE("merge-cookies: a partitioned cookie and an unpartitioned one are two") {
  REQUIRE(merge("HTTP/1.1 200 OK\nSet-Cookie: s=1; Path=/; Partitioned\nSet-Cookie: s=2; Path=/\n"
                "Set-Cookie: s=3; Path=/; PARTITIONED\nSet-Cookie: s=; Max-Age=0; Path=/\n") ==
          "Set-Cookie: s=3; Path=/; PARTITIONED\nSet-Cookie: s=; Max-Age=0; Path=/\n");
}

TEST_CASE("merge-cookies: a comma separates cookies only where a new one surely begins") {
  for (const std::string whole :
       {"opts=a=1,part=xyz; Path=/", "q=\"a, b=1\"; Path=/", "a=1,b=2", "a=1,b=2,c=3; Path=/",
        "a=1; Expires=Wed, 14 Jan 2026 09:14:11 GMT", "a=\"x, y=1, z=2\"", "a=\"\"; Path=/, b",
        "a=1, b", "a=1; Path=\"/, b=1\"; Secure"}) {
    const std::string message = "HTTP/1.1 200 OK\nSet-Cookie: " + whole + "\n";
    CHECK(merge(message) == "Set-Cookie: " + whole + "\n");
  }
  const auto split = [](const std::string& folded) {
    return merge("HTTP/1.1 200 OK\nSet-Cookie: " + folded + "\n");
  };
  CHECK(split("a=1; Path=/,b=2") == "Set-Cookie: a=1; Path=/\nSet-Cookie: b=2\n");
  CHECK(split("a=1,\tb=2") == "Set-Cookie: a=1\nSet-Cookie: b=2\n");
  CHECK(split("a=1; Expires=Wed, 14 Jan 2026 09:14:11 GMT,b=2") ==
        "Set-Cookie: a=1; Expires=Wed, 14 Jan 2026 09:14:11 GMT\nSet-Cookie: b=2\n");
  CHECK(split("a=\"x; b=1, c=2") == "Set-Cookie: a=\"x; b=1\nSet-Cookie: c=2\n");
  CHECK(split("a=\"x\", c=2") == "Set-Cookie: a=\"x\"\nSet-Cookie: c=2\n");
}

TEST_CASE("merge-cookies: Cookie lines of a request become one") {
  REQUIRE(merge("GET / HTTP/1.1\ncookie: a=1\nHost: h\nCookie:\nCookie: b=2; a=3\n") ==
          "cookie: a=1; b=2; a=3\nHost: h\n");
  Drive one("GET / HTTP/1.1\nCookie: a=1;b=2\n");
  REQUIRE(one.run("merge-cookies"));
  REQUIRE_FALSE(one.message.headers.changed());
}

TEST_CASE("merge-cookies: --join-lf is a mark for HAR output, the map has one field a cookie") {
  Drive drive("HTTP/1.1 200 OK\nSet-Cookie: a=1, b=2\n");
  REQUIRE(drive.run("merge-cookies", "", {{"join-lf", ""}}));
  REQUIRE(drive.message.delivery.cookies_in_one);
  REQUIRE(drive.fields() == "Set-Cookie: a=1\nSet-Cookie: b=2\n");
}

}  // namespace
}  // namespace rehead::transform
