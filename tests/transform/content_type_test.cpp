#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

std::string after(std::string_view message, std::string type, Options options = {}) {
  Drive drive(message);
  REQUIRE(drive.run("content-type", std::move(type), std::move(options)));
  return drive.fields();
}

TEST_CASE("content-type: only where none is stated, and empty is none") {
  REQUIRE(after("HTTP/1.1 200 OK\nA: 1\n\nx", "text/html") == "A: 1\nContent-Type: text/html\n");
  REQUIRE(after("HTTP/1.1 200 OK\ncontent-TYPE:\nA: 1\n\nx", "text/html") ==
          "Content-Type: text/html\nA: 1\n");
  REQUIRE(after("HTTP/1.1 200 OK\nCONTENT-type: foo/bar\n\nx", "text/html") ==
          "CONTENT-type: foo/bar\n");
  REQUIRE(after("HTTP/1.1 200 OK\nContent-Type:\nContent-Type: foo/bar\n\nx", "text/html") ==
          "Content-Type: \nContent-Type: foo/bar\n");
}

TEST_CASE("content-type: not where there can be no content") {
  for (const std::string_view status : {"100", "199", "204", "205", "304"}) {
    CAPTURE(status);
    REQUIRE(after("HTTP/1.1 " + std::string(status) + " x\nA: 1\n", "text/html") == "A: 1\n");
  }
  REQUIRE(after("GET / HTTP/1.1\nHost: h\n", "text/html") == "Host: h\n");
  REQUIRE(after("POST / HTTP/1.1\nHost: h\n\nx", "text/html") ==
          "Host: h\nContent-Type: text/html\n");
  // A head that curl -I printed describes content.
  REQUIRE(after("HTTP/1.1 200 OK\nA: 1\n", "text/html") == "A: 1\nContent-Type: text/html\n");
}

TEST_CASE("content-type: --force replaces") {
  REQUIRE(after("HTTP/1.1 200 OK\nContent-Type: a/b\nA: 1\ncontent-type: c/d\n\nx", "e/f",
                {{"force", ""}}) == "Content-Type: e/f\nA: 1\n");
}

TEST_CASE("content-type: --charset completes the same type") {
  const Options options = {{"charset", "utf-8"}};
  REQUIRE(after("HTTP/1.1 200 OK\n\nx", "text/html", options) ==
          "Content-Type: text/html; charset=utf-8\n");
  REQUIRE(after("HTTP/1.1 200 OK\nContent-Type: Text/HTML\n\nx", "text/html", options) ==
          "Content-Type: text/html; charset=utf-8\n");
  for (const std::string stated : {"text/html; Charset=latin1", "text/plain",
                                   "text/html ;x=\";charset=a\"; charset=\"utf-8\""}) {
    REQUIRE(after("HTTP/1.1 200 OK\nContent-Type: " + stated + "\n\nx", "text/html", options) ==
            "Content-Type: " + stated + "\n");
  }
}

TEST_CASE("content-type: refuses what is no media type") {
  for (const std::string type :
       {"", "html", "text/", "/html", "text/a b", "te xt/a", "a/b/c", "text/html\r\nX: 1"}) {
    CAPTURE(type);
    REQUIRE(refuses("content-type", type));
  }
  REQUIRE(refuses("content-type", "a/b", {{"charset", "u 8"}}));
  REQUIRE(refuses("content-type", "a/b; c=d", {{"charset", "utf-8"}}));
  REQUIRE_FALSE(refuses("content-type", "a/b; c=\"d e\""));
}

}  // namespace
}  // namespace rehead::transform
