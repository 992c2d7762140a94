#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("strip-hop: Connection, what it names, and what is known to be hop-by-hop") {
  Drive drive(
      "HTTP/1.1 200 OK\nConnection: close, X-Hop\nx-hop: 1\nKeep-Alive: 5\nA: 1\n"
      "Proxy-Authenticate: p\nProxy-Authorization: p\nProxy-Connection: p\nTE: t\nTrailer: t\n"
      "Upgrade: u\nconnection: X-Two,\nX-Two: 2\n\nhello");
  REQUIRE(drive.run("strip-hop"));
  REQUIRE(drive.fields() == "A: 1\n");
  REQUIRE(drive.message.delivery.framing == http::Delivery::Framing::as_found);
  REQUIRE(drive.log.ids().empty());
}

TEST_CASE("strip-hop: end-to-end fields that Connection names stay, with a warning") {
  Drive drive(
      "HTTP/1.1 200 OK\nConnection: cache-control, host, SET-COOKIE, content-type\n"
      "Cache-Control: no-store\nHost: h\nSet-Cookie: a=1\nContent-Type: t\n");
  REQUIRE(drive.run("strip-hop"));
  REQUIRE(drive.fields() == "Cache-Control: no-store\nHost: h\nSet-Cookie: a=1\nContent-Type: t\n");
  REQUIRE(drive.log.all.size() == 4);
}

TEST_CASE("strip-hop: 101 stays as it is") {
  Drive drive("HTTP/1.1 101 Switching\nConnection: Upgrade\nUpgrade: websocket\n");
  REQUIRE(drive.run("strip-hop"));
  REQUIRE_FALSE(drive.message.headers.changed());
}

TEST_CASE("strip-hop: a chunked body is framed by its length") {
  Drive drive("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nTrailer: X\nA: 1\n\nhello");
  drive.message.notes.framing = http::Framing::chunked;
  REQUIRE(drive.run("strip-hop"));
  REQUIRE(drive.fields() == "A: 1\n");
  REQUIRE(drive.message.delivery.framing == http::Delivery::Framing::length);
}

TEST_CASE("strip-hop: a head alone loses Transfer-Encoding as well") {
  Drive drive("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nA: 1\n");
  REQUIRE(drive.run("strip-hop"));
  REQUIRE(drive.fields() == "A: 1\n");
}

}  // namespace
}  // namespace rehead::transform
