#include <re2/re2.h>

#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("sub: every match in every instance") {
  Drive drive("HTTP/1.1 200 OK\nX: aba\nY: a\nx: ca\nX: none\n");
  REQUIRE(drive.run("sub", "x:/a/Z/"));
  REQUIRE(drive.fields() == "X: ZbZ\nY: a\nx: cZ\nX: none\n");
}

TEST_CASE("sub: flags i and 1") {
  Drive drive("HTTP/1.1 200 OK\nX: aAa\n");
  REQUIRE(drive.run("sub", "x:/A/z/1i"));
  REQUIRE(drive.fields() == "X: zAa\n");
  REQUIRE(drive.run("sub", "x:/a/y/i"));
  REQUIRE(drive.fields() == "X: zyy\n");
}

TEST_CASE("sub: groups, and any sign as the mark") {
  Drive drive("HTTP/1.1 302 Found\nLocation: http://a.example/x|y\n");
  REQUIRE(drive.run("sub", R"(location:|^http://([^/]*)/(.*)\|(.)|https://\1:443/\3\|\2|)"));
  REQUIRE(drive.fields() == "Location: https://a.example:443/y|x\n");
  REQUIRE(drive.run("sub", R"(location:/:443\//\/\\\0\//)"));
  REQUIRE(drive.fields() == "Location: https://a.example/\\:443//y|x\n");
}

TEST_CASE("sub: values are bytes") {
  Drive drive("HTTP/1.1 200 OK\nX: caf\xe9 \xc3\xa9\n");
  REQUIRE(drive.run("sub", R"(x:/\xe9/e/)"));
  REQUIRE(drive.fields() == "X: cafe \xc3\xa9\n");
}

TEST_CASE("sub: no match is no change") {
  Drive drive("HTTP/1.1 200 OK\nX: a\n");
  REQUIRE(drive.run("sub", "x:/b/c/"));
  REQUIRE(drive.run("sub", "x:/a/a/"));
  REQUIRE(drive.run("sub", "req:x:/a/b/"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

TEST_CASE("sub: a value that no line could hold is mended or left, with a warning") {
  Drive drive("HTTP/1.1 200 OK\nX: a\\nb\nY: a\\nb\n");
  REQUIRE(drive.run("sub", R"(x:/\n/ /)"));
  REQUIRE(drive.run("sub", "y:/a/c/"));
  REQUIRE(drive.fields() == "X: a b\nY: a\nb\n");
  REQUIRE(drive.log.ids() == "field-value");
}

TEST_CASE("sub: an expression takes time in proportion to the value") {
  Drive drive("HTTP/1.1 200 OK\nX: " + std::string(1 << 20, 'x') + "\n");
  REQUIRE(drive.run("sub", "x:/(x+x+)+y/z/"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

TEST_CASE("sub: replaces what RE2 itself would replace") {
  for (const std::string pattern : {"a", "a*", "^a", "a$", "^", "$", "\\b", "x?", "(a)(b)?", "."}) {
    for (const std::string value : {"a", "aba", "baab", "a b", "bbb",
                                    "\xc3\xa4"
                                    "a\xc3\xa4",
                                    "\xe4"
                                    "a"}) {
      const bool utf8 = value.find('\xc3') != value.npos || value.find('\xe4') == value.npos;
      std::string wanted = value;
      re2::RE2::GlobalReplace(
          &wanted, {pattern, utf8 ? re2::RE2::DefaultOptions : re2::RE2::Latin1}, "<\\0>");
      Drive drive("HTTP/1.1 200 OK\nX: " + value + "\n");
      REQUIRE(drive.run("sub", "x:|" + pattern + "|<\\0>|"));
      CAPTURE(pattern, value);
      CHECK(drive.fields() == "X: " + wanted + "\n");
    }
  }
}

TEST_CASE("sub: what it makes has the limits of what is read") {
  const std::string body = "HTTP/1.1 200 OK\nX: " + std::string(1 << 19, 'a') + "\n\n";
  Drive drive(body);
  REQUIRE(drive.run("sub", "x:/a/b/"));
  const auto grown = drive.run("sub", "x:/b/ccc/");
  REQUIRE_FALSE(grown);
  CHECK(grown.error().code == Errc::limit);
  CHECK(grown.error().id == "max-head");
}

TEST_CASE("sub: refuses what it cannot read") {
  for (const std::string text : {"", "x", "x:", "x:/a", "x:/a/b", "x://b/", "x:/a/b/g", "x:/(/b/",
                                 "x:/a/\\1/", "x:/a/\\n/", "x:/a/b\nc/", "x:aba", "x:_a_b_",
                                 "x:\\a\\b\\", "x: a b ", ":ms:/a/b/", ":status"}) {
    CAPTURE(text);
    REQUIRE(refuses("sub", text));
  }
  REQUIRE(refuses("sub", "x:/" + std::string(70'000, 'a') + "/b/"));
  REQUIRE(refuses("sub", "x:/((((a{100}){100}){100}){100})/b/"));
}

}  // namespace
}  // namespace rehead::transform
