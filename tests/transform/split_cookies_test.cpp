#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

std::string split(std::string_view message) {
  Drive drive(message);
  REQUIRE(drive.run("split-cookies"));
  return drive.fields();
}

TEST_CASE("split-cookies: LF and folded lists are parted, dates are not") {
  REQUIRE(split("HTTP/1.1 200 OK\n"
                "Set-Cookie: a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT, b=2; Path=/,c=3\n"
                "A: 1\n"
                "set-cookie: d=4\\n\\n\\ne=5\\r\\n\n") ==
          "Set-Cookie: a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT\n"
          "Set-Cookie: b=2; Path=/\n"
          "Set-Cookie: c=3\n"
          "A: 1\n"
          "set-cookie: d=4\n"
          "set-cookie: e=5\n");
}

TEST_CASE("split-cookies: blank ones go and are counted") {
  Drive drive(
      "HTTP/1.1 200 OK\nSet-Cookie: a=1\nSet-Cookie:\nSet-Cookie: =; Path=/\nSet-Cookie: b\n");
  REQUIRE(drive.run("split-cookies"));
  REQUIRE(drive.fields() == "Set-Cookie: a=1\nSet-Cookie: b\n");
  REQUIRE(drive.log.all.at(0).what == "2 blank Set-Cookie values dropped");
}

TEST_CASE("split-cookies: single cookies, repeats and Cookie are not touched") {
  Drive drive("HTTP/1.1 200 OK\nSet-Cookie: a=1,2\nSet-Cookie: a=1,2\nCookie: x=1, y=2\n");
  REQUIRE(drive.run("split-cookies"));
  REQUIRE_FALSE(drive.message.headers.changed());
  REQUIRE(drive.log.ids().empty());
}

TEST_CASE("split-cookies: values joined in HAR are parted for good") {
  Drive drive("HTTP/1.1 200 OK\nSet-Cookie: a=1\nSet-Cookie: b=2\n");
  drive.join(1);
  REQUIRE(drive.run("split-cookies"));
  REQUIRE(drive.message.headers.changed());
  for (const http::Field& field : drive.message.headers) {
    REQUIRE_FALSE(field.has(http::Field::joined));
  }
}

TEST_CASE("split-cookies: a value that no line could hold is left") {
  Drive drive("HTTP/1.1 200 OK\nSet-Cookie: a=1\\0, b=2\nSet-Cookie: c=3\\nd=\\0\n");
  REQUIRE(drive.run("split-cookies"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

}  // namespace
}  // namespace rehead::transform
