// The framing decision (RFC 9112 6.3 and what curl prints), rule by rule: what stands in, where
// each body was found to end, what is told.
#include <catch2/catch.hpp>

#include "format/convert.h"

namespace rehead::format {
namespace {

std::string_view name_of(http::Framing framing) {
  constexpr std::array<std::string_view, 7> kNames = {"none",    "length",   "chunked", "close",
                                                      "decoded", "withheld", "opaque"};
  return kNames[static_cast<std::size_t>(framing)];
}

/// "framing:content|framing:content ..." of all messages, then "!id" of errors and "?id" of
/// findings.
std::string read(std::string_view input, http::Policy policy = {}) {
  std::string story;
  const Converted done =
      convert(input, {.to = "http", .policy = policy, .each = [&](http::Exchange& exchange) {
                        http::Message& m =
                            exchange.request != nullptr ? *exchange.request : *exchange.response;
                        if (!story.empty()) story += '|';
                        story += name_of(m.notes.framing);
                        if (m.notes.coding_label_false) story += "-";
                        if (m.body == nullptr) return;
                        story += ':';
                        while (true) {
                          auto piece = m.body->content().pull();
                          if (!piece || piece->kind == Piece::Kind::end) break;
                          story += piece->bytes;
                        }
                        for (const http::Field& trailer : m.trailers) {
                          story += "~" + std::string(trailer.name());
                        }
                      }});
  for (const std::string& finding : done.findings) {
    story += " ?" + finding.substr(0, finding.find(' '));
  }
  if (!done.error.empty()) story += " !" + done.error;
  return story;
}

std::string ok(std::string_view fields, std::string_view body) {
  return "HTTP/1.1 200 OK\r\n" + std::string(fields) + "\r\n" + std::string(body);
}
const std::string kNext = "HTTP/1.1 201 Next\r\nContent-Length: 1\r\n\r\nn";
const std::string kChunked = "Transfer-Encoding: chunked\r\n";

TEST_CASE("framing: no body by status or method (rule 1)") {
  CHECK(read("HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\n" + kNext) ==
        "none|length:n ?framing-without-body");
  CHECK(read("HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n" + kNext) ==
        "none|length:n ?framing-without-body");
  CHECK(read("HTTP/1.1 304 No\r\nContent-Length: 5\r\n\r\n" + kNext) == "none|length:n");
  CHECK(read("HTTP/1.1 101 Switch\r\n\r\n\x01HTTP/1.1 200 OK\r\n\r\n") ==
        "opaque:\x01HTTP/1.1 200 OK\r\n\r\n");
  CHECK(read("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n" + ok("Content-Length: 5\r\n", kNext)) ==
        "none|withheld|length:n");
  CHECK(read("CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n" + ok(kChunked, kNext)) ==
        "none|none|length:n ?framing-without-body");
}

TEST_CASE("framing: chunks on the wire (rule 2a)") {
  CHECK(read(ok(kChunked, "5\r\nhello\r\n0\r\n\r\n") + kNext) == "chunked:hello|length:n");
  CHECK(read(ok(kChunked, "005 ;a=b\r\nhello\r\n0\r\nX: 1\r\n\r\n") + kNext) ==
        "chunked:hello~X|length:n");
  CHECK(read(ok(kChunked, "0\r\n\r\n")) == "chunked:");
  CHECK(read(ok(kChunked, "0\r\n")) == "chunked: !body-cut");
  CHECK(read(ok(kChunked, "5\r\nhel")) == "chunked:hel !body-cut");
  CHECK(read(ok(kChunked, "5\r\nhello\r\nzz\r\n")) == "chunked:hello !chunk-size");
  CHECK(read(ok(kChunked, "5\r\nhello\r\n5\r\nworldX")) == "chunked:helloworld !chunk-data-end");
  CHECK(read(ok(kChunked, "5\nhello\n0\n\n") + kNext) == "chunked:hello|length:n");
  CHECK(read(ok(kChunked, "5\nhello\n")) == "decoded:5\nhello\n ?transfer-encoding-false");
  for (const std::string_view size : {"5 0", "0x5", "12345678901234567"}) {
    CHECK(read(ok(kChunked, std::string(size) + "\r\nhello\r\n0\r\n\r\n")) == " !chunk-size");
  }
}

TEST_CASE("framing: withheld or decoded under a chunked head (rules 2b, 2c)") {
  CHECK(read(ok(kChunked, "")) == "withheld");
  CHECK(read(ok(kChunked, kNext)) == "withheld|length:n");
  CHECK(read(ok(kChunked, "hello" + kNext)) == "decoded:hello|length:n ?transfer-encoding-false");
  CHECK(read(ok(kChunked + "Trailer: X-Sum, X-Two\r\n", "hi\nX-Sum: 1\r\nX-Two: 2\r\n")) ==
        "decoded:hi\n~X-Sum~X-Two ?transfer-encoding-false");
  CHECK(read(ok(kChunked + "Trailer: X-Sum\r\n", "hiX-Sum: 1\r\n" + kNext)) ==
        "decoded:hi~X-Sum|length:n ?transfer-encoding-false");
  CHECK(read(ok(kChunked + "Trailer: X-Sum\r\n", "hi\r\nX-Other: 1\r\n")) ==
        "decoded:hi\r\nX-Other: 1\r\n ?transfer-encoding-false");
  // What could not stand in a trailer section is body.
  CHECK(read(ok(kChunked + "Trailer: X-Sum\r\n", "hi\nX-Sum: \r1\r\n")) ==
        "decoded:hi\nX-Sum: \r1\r\n ?transfer-encoding-false");
  CHECK(read(ok(kChunked + "Trailer: X Sum\r\n", "hi\nX Sum: 1\r\n")) ==
        "decoded:hi\nX Sum: 1\r\n ?transfer-encoding-false");
  CHECK(read(ok(kChunked + "Content-Length: 3\r\n", "hello")) ==
        "decoded:hello ?length-and-chunked ?transfer-encoding-false");
}

TEST_CASE("framing: a declared length (rule 3)") {
  CHECK(read(ok("Content-Length: 0\r\n", kNext)) == "length:|length:n");
  CHECK(read(ok("Content-Length: 6,06, 6\r\n", "hello!")) == "length:hello!");
  CHECK(read(ok("Content-Length: 5\r\n", "")) == "withheld");
  CHECK(read("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n") == "length: !body-cut");
  CHECK(read("POST / HTTP/1.1\r\n\r\n") == "none");
  CHECK(read("HTTP/1.1 302 F\r\nLocation: /\r\nContent-Length: 5\r\n\r\n" + kNext) ==
        "withheld|length:n");
  CHECK(read("HTTP/1.1 401 U\r\nContent-Length: 5\r\n\r\n" + kNext) == "withheld|length:n");
  CHECK(read(ok("Content-Length: 99\r\n", kNext)) == "withheld|length:n");
  // The body is a saved message whose end is a border.
  const std::string inner = "HTTP/1.1 200 In\r\n\r\nx";
  const std::string length = "Content-Length: " + std::to_string(inner.size()) + "\r\n";
  CHECK(read(ok(length, inner)) == "length:" + inner);
  CHECK(read(ok(length, inner + kNext)) == "length:" + inner + "|length:n");
  CHECK(read(ok("Content-Type: message/http\r\n" + length, inner + "junk")) ==
        "length:" + inner + " ?junk");
  CHECK(read(ok("Content-Length: 5\r\n", "hel")) == "length:hel !body-cut");
  CHECK(read(ok("Content-Length: 5\r\n", "hello\n\n" + kNext)) == "length:hello|length:n");
  CHECK(read(ok("Content-Length: 5\r\n", "hello\n200\n" + kNext)) == "length:hello|length:n ?junk");
  CHECK(read(ok("Content-Length: 5\r\n", "helloHTTP/1.1")) == "length:hello !head-incomplete");
  CHECK(read(ok("Content-Length: 5\r\n", "helloHT")) == "length:hello !head-incomplete");
}

TEST_CASE("framing: lengths that cannot be") {
  for (const std::string_view length : {"+3", "0x3", "-1", "", "99999999999999999999", "3 3"}) {
    CHECK(read(ok("Content-Length: " + std::string(length) + "\r\n", "abc")) ==
          " !content-length-bad");
  }
  const std::string two = ok("Content-Length: 3\r\nContent-Length: 4\r\n", "abcde");
  CHECK(read(two) == " !content-length-differs");
  CHECK(read(two + kNext, {.strictness = http::Strictness::lenient}) ==
        "decoded:abcde|length:n ?content-length-differs");
}

TEST_CASE("framing: a length under a content coding (rules 3c, 3d)") {
  const std::string gzip = "Content-Encoding: gzip\r\n";
  const std::string magic = "\x1f\x8b\x08zz";
  CHECK(read(ok(gzip + "Content-Length: 5\r\n", magic)) == "length:" + magic);
  CHECK(read(ok(gzip + "Content-Length: 5\r\n", "hello world") + kNext) ==
        "decoded-:hello world|length:n ?content-encoding-false");
  CHECK(read(ok(gzip + "Content-Length: 5\r\n", "hello") + kNext) ==
        "length-:hello|length:n ?content-encoding-false");
  CHECK(read(ok("Content-Encoding: br\r\nContent-Length: 5\r\n", "hello world")) ==
        "decoded-:hello world ?content-encoding-false");
  CHECK(read(ok("Content-Encoding: br\r\nContent-Length: 5\r\n", "hello")) ==
        "length-:hello ?content-encoding-false");
  CHECK(read(ok(gzip + kChunked, "5\r\nhello\r\n0\r\n\r\n")) ==
        "chunked-:hello ?content-encoding-false");
  CHECK(read(ok(gzip, "hello")) == "close-:hello ?content-encoding-false");
  CHECK(read(ok(gzip, "\x1f")) == "close:\x1f");  // ends inside the magic: it shows
  CHECK(read(ok(gzip, "")) == "close:");
}

TEST_CASE("framing: a long length under br or deflate is believed if its first KiB decodes (3c)") {
  const auto starts = [](const char* coding, const std::string& body) {
    const std::string text =
        ok("Content-Encoding: " + std::string(coding) + "\r\nContent-Length: 100000\r\n",
           body + std::string(100'000 - body.size(), 'x'));
    return read(text).substr(0, 8);
  };
  // Stored blocks of 65,535 bytes; text; data that ends at once, before other bytes.
  const std::string stored = std::string("\x00\xff\xff\x00\x00", 5) + std::string(65'530, 'y');
  CHECK(starts("deflate", stored) == "length:" + stored.substr(0, 1));
  CHECK(starts("deflate", "plain text") == "decoded-");
  CHECK(starts("deflate", std::string("\x03\x00", 2)) == std::string("length:\x03"));
  CHECK(starts("br", "plain text") == "decoded-");
  CHECK(starts("br", "\x06") == "length:\x06");
}

TEST_CASE("framing: to the next head (rule 4)") {
  CHECK(read(ok("", "hello" + kNext)) == "close:hello|length:n");
  CHECK(read("HTTP/2 200 \r\n\r\nhelloHTTP/2 404 \r\n\r\n") == "close:hello|close:");
  CHECK(read("HTTP/2 200 \r\ntrailer: x-sum\r\n\r\nhix-sum: 1\r\n") == "close:hi~x-sum");
  CHECK(read(ok("Content-Type: message/http\r\n", kNext)) == "close:" + kNext);
  CHECK(read(ok("", "hello" + kNext), {.split = http::SplitMode::never}) == "close:hello" + kNext);
  // At the start of a body a head is read tolerantly, in the middle of one only with the line ends
  // of the message before it.
  CHECK(read(ok("", "HTTP/1.1 200 OK\nA : b\n\n")) == "close:|close: ?blank-before-colon ?bare-lf");
  CHECK(read(ok("", "say\nHTTP/1.1 200 OK\nA: b\n\n")) == "close:say\nHTTP/1.1 200 OK\nA: b\n\n");
  CHECK(read(ok("", "say HTTP/1.1 200 OK\r\nno colon\r\n\r\n")) ==
        "close:say HTTP/1.1 200 OK\r\nno colon\r\n\r\n");
}

TEST_CASE("framing: requests end where a request can end") {
  CHECK(read("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd") ==
        " !transfer-encoding");
  CHECK(read("POST / HTTP/1.1\r\nContent-Length: 999\r\n\r\n" + kNext) ==
        "length:" + kNext + " !body-cut");
  CHECK(read("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc" + kNext) == "length:abc|length:n");
}

TEST_CASE("framing: steps cannot make the head lie") {
  const auto set = [](std::string_view input, std::string_view name, std::string_view value) {
    return convert(input, {.each =
                               [&](http::Exchange& exchange) {
                                 for (http::Message* m : {exchange.request, exchange.response}) {
                                   if (m != nullptr) REQUIRE(m->headers.set(name, value));
                                 }
                               }})
        .output;
  };
  const std::string request = "POST / HTTP/1.1\r\nHost: a\r\n\r\n";
  CHECK(set(request, "Content-Length", "5") == request);
  CHECK(set(request, "Transfer-Encoding", "chunked") == request);
  const std::string chunks = ok(kChunked, "3\r\nabc\r\n0\r\n\r\n");
  CHECK(set(chunks, "Content-Length", "99") == chunks);
  const std::string opaque = "HTTP/1.1 101 S\r\nUpgrade: x\r\n\r\nplain";
  CHECK(set(opaque, "Content-Length", "5") == opaque);
}

TEST_CASE("framing: many folds take memory in proportion to their bytes") {
  std::string folds = "A: b\r\n";
  std::string value = "b";
  for (int i = 0; i < 100'000; ++i) {
    folds += " c\r\n";
    value += " c";
  }
  CHECK(convert(ok(folds + "X: 1\r\n", "")).output == ok("A: " + value + "\r\nX: 1\r\n", ""));
}

TEST_CASE("framing: modes of --framing") {
  const std::string decoded = ok(kChunked, "5\r\nhello\r\n0\r\n\r\n");
  CHECK(read(decoded, {.framing = http::FramingMode::curl}) ==
        "decoded:5\r\nhello\r\n0\r\n\r\n ?transfer-encoding-false");
  CHECK(read(ok(kChunked, "hello\r\n"), {.framing = http::FramingMode::wire}) ==
        "chunked: !chunk-size");
  CHECK(read(ok("Content-Length: 3\r\n", "edited body") + kNext,
             {.framing = http::FramingMode::eof}) == "decoded:edited body|decoded:n");
}

TEST_CASE("framing: the search for the next head takes time in proportion to the body") {
  // Candidates that need their whole head to be told false must not each be read to the end.
  std::string body = "x\r\n";
  while (body.size() < 4'000'000) body += "HTTP/1.1 200 OK\r\nA: HTTP/1.1 200 OK\r\n";
  const std::string message = ok("", body);
  CHECK(convert(message).output == message);
  std::string line = "x";
  while (line.size() < 4'000'000) line += "HTTP/1.1 200 ";
  CHECK(convert(ok("", line)).output == ok("", line));
}

}  // namespace
}  // namespace rehead::format
