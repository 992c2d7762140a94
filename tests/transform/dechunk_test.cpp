#include <catch2/catch.hpp>
#include <utility>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

Drive& chunked(Drive& drive) {
  drive.message.notes.framing = http::Framing::chunked;
  return drive;
}

constexpr std::string_view kMessage =
    "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nTrailer: X\nA: 1\n\nhello";
using Framing = http::Delivery::Framing;
using Trailers = http::Delivery::Trailers;

TEST_CASE("dechunk: length framing, without Transfer-Encoding and Trailer") {
  Drive drive(kMessage);
  REQUIRE(chunked(drive).run("dechunk"));
  REQUIRE(drive.fields() == "A: 1\n");
  REQUIRE(drive.message.delivery.framing == Framing::length);
  REQUIRE(drive.message.delivery.trailers == Trailers::drop);
  REQUIRE_FALSE(drive.message.body->touched());
}

TEST_CASE("dechunk: --trailers says what becomes of them") {
  for (const auto& [word, wanted] :
       {std::pair{"drop", Trailers::drop}, std::pair{"merge", Trailers::merge},
        std::pair{"keep", Trailers::keep}}) {
    Drive drive(kMessage);
    REQUIRE(chunked(drive).run("dechunk", "", {{"trailers", word}}));
    REQUIRE(drive.message.delivery.trailers == wanted);
  }
  REQUIRE(refuses("dechunk", "", {{"trailers", "all"}}));
}

TEST_CASE("dechunk: a label over a body that is decoded already goes as well") {
  Drive drive(kMessage);
  drive.message.notes.framing = http::Framing::decoded;
  drive.message.notes.transfer_label_false = true;
  REQUIRE(drive.run("dechunk"));
  REQUIRE(drive.fields() == "A: 1\n");
  REQUIRE(drive.message.delivery.framing == Framing::length);
}

TEST_CASE("dechunk: takes back chunk") {
  Drive drive("HTTP/1.1 200 OK\n\nhello");
  REQUIRE(drive.run("chunk"));
  REQUIRE(drive.message.delivery.framing == Framing::chunked);
  REQUIRE(drive.run("dechunk"));
  REQUIRE(drive.message.delivery.framing == Framing::length);
}

TEST_CASE("dechunk: other bodies and heads alone are not touched") {
  Drive length("HTTP/1.1 200 OK\nContent-Length: 5\nTrailer: X\n\nhello");
  REQUIRE(length.run("dechunk"));
  REQUIRE(length.message.delivery.framing == Framing::as_found);
  REQUIRE_FALSE(length.message.headers.changed());
  Drive head("HTTP/1.1 304 Not Modified\nTransfer-Encoding: chunked\n");
  REQUIRE(head.run("dechunk"));
  REQUIRE_FALSE(head.message.headers.changed());
}

TEST_CASE("dechunk: an unknown transfer coding keeps its label, with a warning") {
  Drive drive("HTTP/1.1 200 OK\nTransfer-Encoding: lzma, Chunked\n\nhello");
  REQUIRE(chunked(drive).run("dechunk"));
  REQUIRE(drive.fields() == "Transfer-Encoding: lzma, Chunked\n");
  REQUIRE(drive.message.delivery.framing == Framing::as_found);
  REQUIRE(drive.log.ids() == "foreign-coding");
  Drive gzip("HTTP/1.1 200 OK\nTransfer-Encoding: x-gzip, chunked\n\nhello");
  REQUIRE(chunked(gzip).run("dechunk"));
  REQUIRE(gzip.fields().empty());
}

}  // namespace
}  // namespace rehead::transform
