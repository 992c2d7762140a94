#include <catch2/catch.hpp>

#include "base/ascii.h"
#include "support/run_chain.h"
#include "transform/harness.h"

namespace rehead::transform {
namespace {

constexpr std::string_view kMessage = "HTTP/1.1 200 OK\nX-A: 1\nX-B: 2\nx-a: 3\n";

TEST_CASE("set: the first place, the new spelling, one instance") {
  Drive drive(kMessage);
  REQUIRE(drive.run("set", "x-A:  v "));
  REQUIRE(drive.fields() == "x-A: v\nX-B: 2\n");
}

TEST_CASE("set: without an instance the field stands at the end; an empty value is kept") {
  Drive drive(kMessage);
  REQUIRE(drive.run("set", "Y:"));
  REQUIRE(drive.fields() == "X-A: 1\nX-B: 2\nx-a: 3\nY: \n");
}

TEST_CASE("set: what is so already is no change") {
  Drive drive(kMessage);
  REQUIRE(drive.run("set", "X-B: 2"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

TEST_CASE("set: --if-missing and --if-present look at any instance") {
  Drive drive(kMessage);
  REQUIRE(drive.run("set", "X-A: v", {{"if-missing", ""}}));
  REQUIRE(drive.run("set", "Z: v", {{"if-present", ""}}));
  REQUIRE_FALSE(drive.message.headers.changed());
  REQUIRE(drive.run("set", "X-B: v", {{"if-present", ""}}));
  REQUIRE(drive.run("set", "Z: v", {{"if-missing", ""}}));
  REQUIRE(drive.fields() == "X-A: 1\nX-B: v\nx-a: 3\nZ: v\n");
  REQUIRE(refuses("set", "A: 1", {{"if-missing", ""}, {"if-present", ""}}));
}

TEST_CASE("set: the prefix needs a token and a colon behind it") {
  Drive drive(kMessage);
  REQUIRE(drive.run("set", "req:X-A: v"));
  REQUIRE_FALSE(drive.message.headers.changed());
  REQUIRE(drive.run("set", "res:X-B: v"));
  REQUIRE(drive.run("set", "req: v"));
  REQUIRE(drive.run("set", "res:/a b: c"));
  REQUIRE(drive.fields() == "X-A: 1\nX-B: v\nx-a: 3\nreq: v\nres: /a b: c\n");
}

TEST_CASE("set: lines of one name in a file stand together in the place of the first") {
  const TemporaryFile file("X-A: p\r\nNew: 1\n\nx-a: q\nreq:X-B: no\nnew: 2");
  Drive drive(kMessage);
  REQUIRE(drive.run("set", "@" + file.path()));
  REQUIRE(drive.fields() == "X-A: p\nX-A: q\nX-B: 2\nNew: 1\nNew: 2\n");
  Drive again("HTTP/1.1 200 OK\nX-A: p\nX-A: q\nNew: 1\nNew: 2\n");
  REQUIRE(again.run("set", "@" + file.path()));
  REQUIRE_FALSE(again.message.headers.changed());
}

TEST_CASE("set: a bad line in a file is told by its number") {
  const TemporaryFile file("A: 1\n\nno colon\n");
  const Error error = refusal("set", "@" + file.path());
  REQUIRE(error.code == Errc::usage);
  REQUIRE(error.what.find("line 3: ") != std::string::npos);
  REQUIRE(refusal("set", "@/nowhere/at/all").code == Errc::io);
}

TEST_CASE("set: Content-Encoding by hand is told, the body stays") {
  Drive drive("HTTP/1.1 200 OK\nA: 1\n\nhello");
  REQUIRE(drive.run("set", "Content-Encoding: br"));
  REQUIRE(drive.log.ids() == "label-only");
  REQUIRE(drive.run("set", "content-encoding: br"));
  REQUIRE(drive.content() == "hello");
}

TEST_CASE("set: a pseudo-field of a stand-alone message is kept for its exchange, or it is said") {
  const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
  const auto url_of = [](const Ran& ran) {
    const std::size_t at = ran.out.find("\"url\":\"") + 7;
    return ran.out.substr(at, ran.out.find('"', at) - at);
  };
  CHECK(url_of(run_chain("set ':url: https://e.org/a'", answer, {.to = "har"})) == "https://e.org/a");
  CHECK(url_of(run_chain("set ':url: https://e.org/a'\nset ':host: f.org'\nset ':path: /b'", answer,
                         {.to = "har"})) == "https://f.org/b");
  CHECK(url_of(run_chain("set ':url: https://e.org/a?b'", "GET /x HTTP/1.1\r\nHost: h\r\n\r\n",
                         {.to = "har"})) == "https://e.org/a?b");
  CHECK(url_of(run_chain("set ':url: https://e.org/a' --if 'message=2'", answer + answer,
                         {.to = "har"})) == "about:blank");
  for (const std::string pseudo : {":method: POST", ":host: h", ":path: /a"}) {
    CHECK(run_chain("set '" + pseudo + "'", answer).err.find("was set nowhere") != std::string::npos);
  }
  for (const std::string pseudo : {":status: 404", ":reason: x"}) {
    CHECK(run_chain("set '" + pseudo + "'", "GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
              .err.find("was set nowhere") != std::string::npos);
  }
}

TEST_CASE("set: refuses every byte that no line can hold, in name and value") {
  for (int byte = 0; byte < 256; ++byte) {
    CAPTURE(byte);
    const std::string text(1, static_cast<char>(byte));
    const bool breaks = byte == 0 || byte == '\r' || byte == '\n';
    REQUIRE(refuses("set", "X: a" + text + "b") == breaks);
    const bool token = ascii::is(text[0], ascii::kToken);
    // A colon ends the name, a star makes it a pattern.
    REQUIRE(refuses("set", "X" + text + "Y: v") == ((!token && byte != ':') || byte == '*'));
  }
  for (const std::string text : {"", "X", ":status: 5033", ":status: abc", ":ms: 5", ":type: a/b",
                                 "req::status: 503", " X: a"}) {
    CAPTURE(text);
    REQUIRE(refuses("set", text));
  }
}

}  // namespace
}  // namespace rehead::transform
