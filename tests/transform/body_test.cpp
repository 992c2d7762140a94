#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("body: other content, without what described the old") {
  Drive drive(
      "HTTP/1.1 200 OK\nContent-Encoding: gzip\nETag: \"a\"\nContent-MD5: m\nDigest: d\n"
      "Content-Digest: d\nRepr-Digest: d\nTrailer: X\nContent-Type: text/plain\n\nhello");
  drive.message.notes.codings.push_back(http::Coding::gzip);
  REQUIRE(drive.run("body", "new text"));
  REQUIRE(drive.fields() == "Content-Type: text/plain\n");
  REQUIRE(drive.message.body->size() == 8);
  REQUIRE(drive.message.body->touched());
  REQUIRE(drive.message.notes.codings.empty());
  REQUIRE(drive.content() == "new text");
}

TEST_CASE("body: every message gets it, empty text too") {
  Drive drive("HTTP/1.1 200 OK\n\nhello");
  REQUIRE(drive.run("body", "one"));
  REQUIRE(drive.run("body", ""));
  REQUIRE(drive.message.body->size() == 0);
  REQUIRE(drive.content().empty());
  Drive was_empty("HTTP/1.1 200 OK\n\n");
  REQUIRE(was_empty.run("body", "x"));
  REQUIRE(was_empty.content() == "x");
}

TEST_CASE("body: the bytes of a file") {
  const TemporaryFile file(std::string_view("a\0\r\nb", 5));
  Drive drive("HTTP/1.1 200 OK\n\nhello");
  REQUIRE(drive.run("body", "@" + file.path()));
  REQUIRE(drive.content() == std::string_view("a\0\r\nb", 5));
  REQUIRE(refusal("body", "@/nowhere/at/all").code == Errc::io);
}

TEST_CASE("body: where there is none, a warning and no change") {
  for (const std::string_view text :
       {"HTTP/1.1 200 OK\nETag: \"a\"\n", "HTTP/1.1 204 x\nETag: \"a\"\n",
        "HTTP/1.1 205 x\nETag: \"a\"\n\n"}) {
    Drive drive(text);
    REQUIRE(drive.run("body", "x"));
    REQUIRE_FALSE(drive.message.headers.changed());
    REQUIRE(drive.log.ids() == "no-body");
  }
  Drive interim("HTTP/1.1 103 Early\nLink: a\n");
  REQUIRE(interim.run("body", "x"));
  REQUIRE(interim.log.ids().empty());
}

TEST_CASE("body: of a 206 is told") {
  Drive drive("HTTP/1.1 206 Partial\nContent-Range: bytes 0-4/9\n\nhello");
  REQUIRE(drive.run("body", "x"));
  REQUIRE(drive.log.ids() == "partial");
}

}  // namespace
}  // namespace rehead::transform
