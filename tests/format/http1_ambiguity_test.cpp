// Where does a body end, what is a head: the inputs that can be read in two ways,
// each with the one reading. Every row is read whole and in small reads, with the same result.
#include <catch2/catch.hpp>

#include "format/convert.h"

namespace rehead::format {
namespace {

/// The bodies of all messages ("-": there is none), "|" between them; then "!id" of the errors.
std::string story(const std::string& input, const http::Policy& policy) {
  std::string told;
  const auto each = [&](http::Exchange& exchange) {
    http::Message& m = exchange.request != nullptr ? *exchange.request : *exchange.response;
    if (!told.empty()) told += '|';
    told += exchange.request != nullptr ? "q" : "a";
    if (m.body == nullptr) {
      told += '-';
      return;
    }
    while (true) {
      const auto piece = m.body->content().pull();
      if (!piece || piece->kind == Piece::Kind::end) break;
      told += piece->bytes;
    }
  };
  const Converted done = convert(input, {.policy = policy, .each = each});
  if (!done.error.empty()) told += " !" + done.error;
  for (const std::string& finding : done.findings) {
    told += " ?" + finding.substr(0, finding.find(' '));
  }
  return told;
}

struct Row {
  std::string input;
  std::string reading;
  http::Policy policy = {};
};

std::string answer(const std::string& fields, const std::string& body,
                   const char* line = "200 OK") {
  return "HTTP/1.1 " + std::string(line) + "\r\n" + fields + "\r\n" + body;
}
std::string asks(const std::string& fields, const std::string& body) {
  return "POST /a HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n" + body;
}
std::string length(std::size_t size) { return "Content-Length: " + std::to_string(size) + "\r\n"; }

const std::string kGet = "GET /b HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string kNext = answer("Content-Length: 1\r\n", "n", "201 Next");
const std::string kChunked = "Transfer-Encoding: chunked\r\n";
const std::string kEnd = "0\r\n\r\n";

void hold(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    CAPTURE(row.input);
    CHECK(story(row.input, row.policy) == row.reading);
    const Converted whole = convert(row.input, {.policy = row.policy});
    for (const std::size_t step : {1U, 2U, 3U, 7U, 11U}) {
      CHECK(convert(row.input, {.policy = row.policy, .step = step}) == whole);
    }
  }
}

TEST_CASE("ambiguity: requests are read as the wire has them") {
  const http::Policy eof{.framing = http::FramingMode::eof};
  hold({
      {asks(length(99), kNext), "q" + kNext + " !body-cut"},
      {asks(length(kNext.size()), kNext), "q" + kNext},
      {asks(kChunked, kGet), "q !chunk-size"},
      {asks(kChunked, "2\r\nhi\r\n" + kEnd) + kGet, "qhi|q-"},
      {asks("", "{\"a\":1}\n"), "q- ?junk"},
      {asks("", "\r\n\r\n") + kGet, "q-|q-"},
      {asks("", "{\"a\":1}\n"), "q{\"a\":1}\n", eof},
      {asks("", kGet), "q-|q-", eof},
      {asks("", "one\n") + kGet, "qone\n|q-", eof},
      {"GET /a HTTP/1.1\nHost: h\n\n###\nGET /b HTTP/1.1\nHost: h\n\n", "q-|q- ?bare-lf ?junk ?bare-lf"},
  });
}

TEST_CASE("ambiguity: what stands behind a length") {
  const http::Policy lenient{.strictness = http::Strictness::lenient};
  hold({
      {answer(length(2), "hi there"), "ahi ?junk"},
      {answer(length(2), "hi there"), "ahi ?junk", lenient},
      {answer(length(2), "hi \t\n \r\n"), "ahi ?separator"},
      {answer(length(2), "hi\n\n\n\n") + kNext, "ahi|an ?separator"},
      {answer(length(2), "hi\r\n\n") + kNext, "ahi|an"},
      {answer(length(2), "GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "aGE ?junk"},
      {answer(length(3), "hi\n" + kGet), "ahi\n|q-"},
      {answer(length(2), "hi" + kGet), "ahi|q-"},
      {answer(length(0), "http/1.1 404: N\r\n\r\n"), "a|a ?start-line-spelling"},
      {answer(kChunked, kEnd + "tail"), "a ?junk"},
      {answer("", "tail", "204 No"), "a- ?junk"},
  });
}

TEST_CASE("ambiguity: a head where a body should begin") {
  const std::string gif = "Content-Type: image/gif\r\n";
  const std::string bare = "HTTP/1.1 200 OK\r\n\r\n";
  const std::string saved = "Content-Type: message/http\r\n";
  hold({
      {answer(gif + length(2 * bare.size()), bare + bare), "a-|a|a"},
      {answer(length(bare.size()), bare), "a" + bare},
      {answer(length(bare.size()), bare + "\n"), "a" + bare},
      {answer(length(bare.size()), bare + "x"), "a-|ax"},
      {answer(length(bare.size()) + "Content-Encoding: zstd\r\n", bare), "a-|a"},
      {answer(saved + length(bare.size()), bare + kNext), "a" + bare + "|an"},
      {answer(saved + kChunked, bare + kNext), "a" + bare + kNext + " ?transfer-encoding-false"},
      {answer("Location: /\r\n" + length(9), kNext, "302 F"), "a-|an"},
      {kGet + answer("Location: /\r\n" + length(4), "move" + kGet, "302 F"), "q-|amove|q-"},
      {kGet + answer(length(4), "move" + kGet, "401 U") + kNext, "q-|amove|q-|an"},
      {answer("Location: /\r\n" + length(5), "HTTP/1.1 404: N\r\n\r\nno", "302 F"),
       "a-|ano ?start-line-spelling"},
      {answer(length(5), "HTTP/1.1 200OK\r\n\r\n"), "a-|a ?start-line-spelling"},
      {answer(length(5), "HTTP/1.1 200\tOK\r\n\r\n"), "a-|a ?start-line-spelling"},
      {answer(kChunked, "http/1.1 200 OK\r\n\r\n"), "a-|a ?start-line-spelling"},
      {answer("", "http/1.1 200 OK\r\n\r\n"), "a|a ?start-line-spelling"},
      {answer("", "xhttp/1.1 200 OK\r\n\r\n"), "axhttp/1.1 200 OK\r\n\r\n"},
      {answer("", "xHTTP/1.1  200 OK\r\n\r\n"), "axHTTP/1.1  200 OK\r\n\r\n"},
  });
}

TEST_CASE("ambiguity: an upgrade to h2c goes on as heads, any other is opaque") {
  const std::string two = "HTTP/2 200 \r\ncontent-length: 2\r\n\r\nhi";
  hold({
      {answer("Upgrade: h2c\r\n", two, "101 S"), "a-|ahi"},
      {answer("Upgrade: websocket\r\n", two, "101 S"), "a" + two},
      {answer("Upgrade: h2c\r\n", "\x01" + two, "101 S"), "a\x01" + two},
      {answer("Upgrade: h2c\r\n", kNext, "101 S"), "a-|an"},
  });
}

TEST_CASE("ambiguity: what looks like chunks") {
  const std::string two = "2\r\nhi\r\n";
  hold({
      {answer(kChunked, "2025 01\r\nreport\r\n"), " !chunk-size"},
      {answer(kChunked, "0x2\r\nhi\r\n0\r\n\r\n"), " !chunk-size"},
      {answer(kChunked, "00000000000000002\r\nhi\r\n" + kEnd), "ahi"},
      {answer(kChunked, "12345678901234567\r\nhi\r\n"), " !chunk-size"},
      {answer(kChunked, "2025 01 report\r\n"), "a2025 01 report\r\n ?transfer-encoding-false"},
      {answer(kChunked, "0x41 is A\r\n"), "a0x41 is A\r\n ?transfer-encoding-false"},
      {answer(kChunked, "2\r\nhiX\r\n"), "a2\r\nhiX\r\n ?transfer-encoding-false"},
      {answer(kChunked, two + "2\r\nhiX\r\n"), "ahihi !chunk-data-end"},
      {answer(kChunked, "2;a=\rb\r\nhi\r\n" + kEnd), " !chunk-control"},
      {answer(kChunked, two + "2;a=" + std::string(1, '\0') + "\r\nhi\r\n" + kEnd),
       "ahi !chunk-control"},
      {answer(kChunked, two + "0\r\nX: a\rb\r\n\r\n"), "ahi !trailer"},
      {answer(kChunked, two + "0\r\nContent-Length: 9\r\nX: 1\r\n\r\n"), "ahi ?trailer-framing"},
      {answer(kChunked, two + "0\r\ntransfer-encoding: x\r\n\r\n"), "ahi ?trailer-framing"},
  });
}

TEST_CASE("ambiguity: trailers behind a decoded body") {
  const std::string one = kChunked + "Trailer: X, Sum, X-Sum\r\n";
  const std::string off = " ?transfer-encoding-false";
  hold({
      {answer(one, "{\"a\":1}X: 9\r\n"), "a{\"a\":1}" + off},
      {answer(one, "a: X: 1X: 9\r\n"), "aa: X: 1" + off},
      {answer(one, "hiX-Sum: 9\r\nx: 2\r\n"), "ahi" + off},
      {answer(one, "hi\r\nX: 9\r\n"), "ahi\r\n" + off},
      {answer(one, "hi\r\nX: 9"), "ahi\r\nX: 9" + off},
      {answer(one, "hi\r\nY: 9\r\n"), "ahi\r\nY: 9\r\n" + off},
      {answer(one, std::string("a\0:X: 9\r\n", 9)), std::string("aa\0:", 4) + off},
  });
}

TEST_CASE("ambiguity: heads inside a multipart body") {
  const std::string type = "Content-Type: multipart/mixed; boundary=\"b 1\"\r\n";
  const std::string part = "--b 1\r\nContent-Type: application/http\r\n\r\n" + kNext + "\r\n";
  const std::string close = "--b 1--";
  hold({
      {answer(type, part + close + "\r\n"), "a" + part + close + "\r\n"},
      {answer(type, part + close + kNext), "a" + part + close + "|an"},
      {answer(type, part + close + "\r\n" + kNext), "a" + part + close + "\r\n|an"},
      {answer(type, part + "x" + close + kNext), "a" + part + "x" + close + kNext},
      {answer(type, kNext), "a|an"},
      {kGet + answer(type, part + close + kGet), "q-|a" + part + close + "|q-"},
  });
}

}  // namespace
}  // namespace rehead::format
