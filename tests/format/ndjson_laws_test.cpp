// Laws of NDJSON over all captures of what curl prints, and the sinks that write parts of a
// message.
#include <catch2/catch.hpp>
#include <sstream>
#include <utility>

#include "codec/json_check.h"
#include "corpus.h"
#include "format/convert.h"

namespace rehead::format {
namespace {

struct Capture {
  std::string name;
  std::string bytes;
};

const std::vector<Capture>& captures() {
  static const std::vector<Capture> all = [] {
    std::vector<Capture> found;
    for (const auto& path : files_under(REHEAD_TEST_DATA "/captures")) {
      if (path.extension() != ".wire" && path.extension() != ".out") continue;
      found.push_back({path.filename(), read_whole(path)});
    }
    return found;
  }();
  return all;
}

Converted to_ndjson(std::string_view text) { return convert(text, {.to = "ndjson"}); }
/// gzip and deflate as transfer codings are undone for NDJSON and not applied again, so their label
/// goes.
bool transfer_coded(const Capture& capture) {
  return capture.name.find("te-gzip") != std::string::npos ||
         capture.name.find("te-deflate") != std::string::npos;
}

Converted to_http(std::string_view text) { return convert(text, {.from = "auto"}); }

constexpr std::string_view kChunked =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
    "5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n";

/// What stands from `headers` on.
std::string from_headers(const Converted& converted) {
  return converted.output.substr(converted.output.find("\"headers\""));
}

class TextBody final : public ByteSource {
 public:
  explicit TextBody(std::string_view text) : text_(text) {}
  Result<Piece> pull() override {
    if (text_.empty()) return Piece{};
    return Piece{Piece::Kind::bytes, std::exchange(text_, {})};
  }

 private:
  std::string_view text_;
};

}  // namespace

TEST_CASE("ndjson: raw HTTP through NDJSON gives the messages back, framed as they were") {
  std::size_t compared = 0, equal = 0;
  for (const Capture& capture : captures()) {
    INFO(capture.name);
    const Converted direct = convert(capture.bytes);
    const Converted lines = to_ndjson(capture.bytes);
    CHECK(lines.messages == direct.messages);
    CHECK(lines.errors == direct.errors);
    std::istringstream each(lines.output);
    for (std::string line; std::getline(each, line);) CHECK(codec::json::check(line, 8));
    const Converted back = to_http(lines.output);
    if (!direct.errors.empty() || transfer_coded(capture)) continue;
    CHECK(back.errors.empty());
    ++compared;
    equal += back.output == direct.output ? 1 : 0;
    // A head within the body would end it for other readers: it gets a length.
    if (lines.output.find("\"framing\":\"close\"") != std::string::npos &&
        lines.output.find("\"body\":\"HTTP/") != std::string::npos) {
      continue;
    }
    // Chunk lines and blanks around values are made anew: compare what they carry.
    CHECK(to_ndjson(back.output).output == to_ndjson(direct.output).output);
  }
  CHECK(equal > 250);
  CHECK(compared > 300);
}

TEST_CASE("ndjson: reading and writing lines changes nothing, for every capture") {
  for (const Capture& capture : captures()) {
    INFO(capture.name);
    const std::string lines = to_ndjson(capture.bytes).output;
    const Converted again = convert(lines, {.from = "ndjson", .to = "ndjson"});
    CHECK((again.output == lines || transfer_coded(capture)));
    CHECK(again.findings.empty());
  }
}

TEST_CASE("ndjson_sink: what the chain did to the framing shows in headers and wire") {
  const auto delivered = [](http::Delivery delivery) {
    return from_headers(convert(kChunked, {.to = "ndjson", .each = [&](http::Exchange& exchange) {
                                             exchange.response->delivery = delivery;
                                           }}));
  };
  CHECK(delivered({}) ==
        R"("headers":[["Transfer-Encoding","chunked"],["Trailer","X-Sum"]],"body":"hello",)"
        R"("size":5,"trailers":[["X-Sum","1"]],"wire":{"framing":"chunked","codings":[]}})"
        "\n");
  using http::Delivery;
  CHECK(delivered({.framing = Delivery::Framing::length, .trailers = Delivery::Trailers::drop}) ==
        R"("headers":[["Content-Length","5"]],"body":"hello","size":5,"trailers":[],)"
        R"("wire":{"framing":"length","codings":[]}})"
        "\n");
  CHECK(delivered({.framing = Delivery::Framing::length, .trailers = Delivery::Trailers::merge}) ==
        R"("headers":[["X-Sum","1"],["Content-Length","5"]],"body":"hello","size":5,)"
        R"("trailers":[],"wire":{"framing":"length","codings":[]}})"
        "\n");
}

TEST_CASE("ndjson_sink: the length of a body the chain replaced is true") {
  const std::string_view input = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  TextBody body("hello, world");
  const auto replace = [&](http::Exchange& exchange) {
    exchange.response->body->replace(body, std::nullopt);
  };
  const Converted converted = convert(input, {.to = "ndjson", .each = replace});
  CHECK(from_headers(converted) ==
        R"("headers":[["Content-Length","12"]],"body":"hello, world","size":12,"trailers":[],)"
        R"("wire":{"framing":"length","codings":[]}})"
        "\n");
}

TEST_CASE("ndjson_source: chunks and trailers are put back on the wire") {
  const Converted back = to_http(to_ndjson(kChunked).output);
  CHECK(back.output == kChunked);
  CHECK(back.findings.empty());
}

TEST_CASE("ndjson_source: trailers never stand behind a body of stated length") {
  CHECK(to_http(R"({"kind":"response","status":200,"headers":[["Content-Length","5"]],)"
                R"("body":"hello","trailers":[["T","1"]],"wire":{"framing":"length"}})")
            .output == "HTTP/1.1 200 \r\nContent-Length: 5\r\n\r\nhello");
}

TEST_CASE("ndjson_source: a body is cut into chunks of bounded size") {
  const std::string line =
      R"({"kind":"response","status":200,"headers":[["Transfer-Encoding","chunked"]],"body":")" +
      std::string(40'000, 'x') + R"(","wire":{"framing":"chunked"}})";
  const std::string output = to_http(line).output;
  CHECK(output.find("\r\n4000\r\nx") != std::string::npos);
  CHECK(output.find("x\r\n1c40\r\nx") != std::string::npos);
  CHECK(output.ends_with("x\r\n0\r\n\r\n"));
}

TEST_CASE("ndjson_source: what cannot stand in a head never reaches raw output") {
  const Converted back = to_http(
      R"({"kind":"response","status":200,"headers":[["A","x\r\nEvil: 1"],["b c","y"]],"body":""})");
  CHECK(back.output == "HTTP/1.1 200 \r\nA: x  Evil: 1\r\nContent-Length: 0\r\n\r\n");
  CHECK(back.findings.size() == 2);
}

TEST_CASE("http1_sink: no start line is split by what stands in its parts") {
  struct Row {
    std::string_view members;
    std::string_view output;
    std::string_view error;
  };
  const Row rows[] = {
      {R"("kind":"response","status":200,"reason":"OK\r\nEvil: 1")",
       "HTTP/1.1 200 OK  Evil: 1\r\nContent-Length: 0\r\n\r\n", ""},
      {R"("kind":"response","status":200,"version":"HTTP/1.1 204\r\nEvil: 1")",
       "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", ""},
      {R"("kind":"response","status":200,"version":"h2")",
       "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", ""},
      {R"("kind":"response","status":200,"version":"HTTP/2")",
       "HTTP/2 200 \r\nContent-Length: 0\r\n\r\n", ""},
      {R"("kind":"response","status":7)", "", "start-line: a status of 7 has no three digits"},
      {R"("kind":"response","status":0)", "", ""},
      {R"("kind":"request","method":"GET","target":"/","version":"unknown")",
       "GET / HTTP/1.1\r\n\r\n", ""},
      {R"("kind":"request","method":"G ET","target":"/")", "",
       "start-line: the request method is no token"},
      {R"("kind":"request","method":"GET / HTTP/1.1\r\nX:","target":"/")", "",
       "start-line: the request method is no token"},
      {R"("kind":"request","method":"GET","target":"/a b")", "",
       "start-line: the request target is empty or holds a blank or a control byte"},
      {R"("kind":"request","method":"GET","target":"/\r\nX: 1")", "",
       "start-line: the request target is empty or holds a blank or a control byte"},
      {R"("kind":"request","method":"GET","target":"/\u0000")", "",
       "start-line: the request target is empty or holds a blank or a control byte"},
  };
  for (const Row& row : rows) {
    INFO(row.members);
    const std::string line = "{" + std::string(row.members) + ",\"body\":\"\"}";
    const Converted converted = to_http(line);
    CHECK(converted.output == row.output);
    CHECK((converted.errors.empty() ? "" : converted.errors.front()) == row.error);
    const Converted heads = convert(line, {.from = "ndjson", .to = "headers"});
    CHECK(heads.output.empty() == row.output.empty());
  }
}

TEST_CASE("headers_sink: heads leave as the map stands, bodies unread") {
  const std::string_view input = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nX:  a \n\n5\r\nhel";
  const Converted heads = convert(input, {.to = "headers"});
  CHECK(heads.output == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX:  a \r\n\r\n");
  const Converted kept = convert(input, {.to = "headers", .policy = {.eol = http::EolMode::keep}});
  CHECK(kept.output == "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nX:  a \n\n");
}

TEST_CASE("body_sink: contents leave one behind the other, without their chunks") {
  const std::string input =
      std::string(kChunked) +
      "HTTP/1.1 204 No Content\r\n\r\n"
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n, HTTP/1.1 200 OK\r\n\r\nyou";
  CHECK(convert(input, {.to = "body"}).output == "hello, you");
  CHECK(convert("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi", {.to = "body"}).output == "hi");
}

TEST_CASE("headers_sink, body_sink: of an exchange the selected half is written") {
  const std::string line =
      R"({"kind":"exchange","request":{"method":"GET","target":"/","body":"q"},)"
      R"("response":{"status":200,"body":"a"}})";
  const auto written = [&](std::string_view to, http::Side side) {
    http::Policy policy;
    FindingList findings;
    MemorySink output;
    auto opened = open({.reader = std::make_unique<CutReader>(line, std::vector<std::size_t>(), 7),
                        .file = "test",
                        .policy = &policy,
                        .log = &findings},
                       "auto");
    REQUIRE(opened);
    CHECK(opened->format == find("ndjson"));
    auto sink = find(to)->make_sink(
        {.output = &output, .policy = &policy, .log = &findings, .selection = {.side = side}});
    auto exchange = opened->source->next();
    REQUIRE(exchange);
    CHECK(sink->write(**exchange));
    return output.text();
  };
  CHECK(written("body", http::Side::response) == "a");
  CHECK(written("body", http::Side::request) == "q");
  CHECK(written("body", http::Side::both) == "qa");
  CHECK(written("headers", http::Side::response) == "HTTP/1.1 200 \r\n\r\n");
  CHECK(written("headers", http::Side::request) == "GET / HTTP/1.1\r\n\r\n");
}

TEST_CASE("formats: the bytes tell NDJSON from raw HTTP, however they come") {
  const auto told = [](std::string_view text, std::size_t step) {
    static const http::Policy kPolicy;
    FindingList findings;
    auto opened =
        open({.reader = std::make_unique<CutReader>(text, std::vector<std::size_t>(), step),
              .file = "test",
              .policy = &kPolicy,
              .log = &findings},
             "auto");
    return opened ? opened->format->name : std::string_view("none");
  };
  for (const std::size_t step : {std::size_t{1}, std::size_t{2}, SIZE_MAX}) {
    CHECK(told(R"({"kind":"request"})", step) == "ndjson");
    CHECK(told("\xEF\xBB\xBF\r\n {\n \"kind\":1}", step) == "ndjson");
    CHECK(told("HTTP/1.1 200 OK\r\n\r\n", step) == "http");
    CHECK(told("\xEF\xBB\xBF\r\nHTTP/1.1 200 OK\r\n\r\n", step) == "http");
    CHECK(told("", step) == "http");
    CHECK(told("\r\n", step) == "http");
    CHECK(told("\xEF\xBB", step) == "http");
  }
}

}  // namespace rehead::format
