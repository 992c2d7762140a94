#include <array>
#include <utility>

#include "transform/run_steps.h"

namespace rehead::transform {
namespace {

using http::Coding;

const std::string kContent = "hello hello hello hello";
const std::string kPlain = "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 23\n";

/// What a verb makes of a head with kContent behind it: the head, and whether the body was coded.
std::pair<std::string, bool> outcome(const std::string& head, const Options& options = {},
                                     const std::string& verb = "gzip",
                                     const std::string& content = kContent) {
  const auto result = run({{verb, options}}, message(head, content));
  CHECK(result.error.empty());
  return {head_of(result.output), body_of(result.output) != content};
}

bool codes(const std::string& head, const Options& options = {}) {
  return outcome(head, options).second;
}

TEST_CASE("gzip, deflate, br, zstd: the body is coded, labelled and framed") {
  constexpr std::array<std::pair<const char*, Coding>, 4> kVerbs = {{{"gzip", Coding::gzip},
                                                                     {"deflate", Coding::deflate},
                                                                     {"br", Coding::br},
                                                                     {"zstd", Coding::zstd}}};
  for (const auto& [verb, coding] : kVerbs) {
    const auto result = run({{verb}}, message(kPlain, kContent));
    const std::string body = body_of(result.output);
    CHECK(decoded(coding, body) == kContent);
    CHECK(head_of(result.output) == "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: " +
                                        std::to_string(body.size()) + "\nContent-Encoding: " +
                                        verb + "\nVary: Accept-Encoding\n");
    CHECK(result.findings.empty());
  }
}

TEST_CASE("gzip: equal content gives equal bytes, whatever the time and the cut") {
  const std::string text = message(
      "HTTP/1.1 200 OK\nContent-Type: text/plain\nLast-Modified: Sun, 06 Nov 1994 08:49:37 "
      "GMT\nContent-Length: 5000\n",
      test::words(5000));
  const auto whole = run({{"gzip"}}, text);
  CHECK((run({{"gzip"}}, text, {}, 1).output == whole.output));
  CHECK((run({{"gzip"}}, text, {}, 977).output == whole.output));
}

TEST_CASE("gzip: a strong ETag is weakened, kept or dropped; a malformed one goes") {
  const auto tag = [&](const char* value, const Options& options = {}) {
    const std::string head = outcome(kPlain + "ETag: " + value + "\n", options).first;
    const std::size_t at = head.find("ETag: ");
    return at == std::string::npos ? "none" : head.substr(at + 6, head.find('\n', at) - at - 6);
  };
  CHECK(tag("\"abc\"") == "W/\"abc\"");
  CHECK(tag("W/\"abc\"") == "W/\"abc\"");
  CHECK(tag("abc") == "none");
  CHECK(tag("\"abc\"", {{"etag", "keep"}}) == "\"abc\"");
  CHECK(tag("\"abc\"", {{"etag", "weaken"}}) == "W/\"abc\"");
  CHECK(tag("\"abc\"", {{"etag", "drop"}}) == "none");
}

TEST_CASE("gzip: what described the uncoded bytes goes") {
  const std::string head =
      outcome(kPlain +
              "Accept-Ranges: bytes\nContent-MD5: x\nContent-Digest: x\nRepr-Digest: x\nDigest: x\n"
              "Last-Modified: today\n")
          .first;
  for (const char* gone : {"Accept-Ranges", "MD5", "Digest"}) CHECK(head.find(gone) == head.npos);
  CHECK(head.find("Last-Modified: today") != head.npos);
}

TEST_CASE("gzip: trailers go with the digest they announce, others stay") {
  const std::string body = "17\r\nhello hello hello hello\r\n0\r\nX-Sum: 1\r\n\r\n";
  const std::string head =
      "HTTP/1.1 200 OK\nContent-Type: text/plain\nTransfer-Encoding: chunked\n";
  const auto kept = run({{"gzip"}}, message(head + "Trailer: X-Sum\n", body));
  CHECK(kept.output.ends_with("0\r\nX-Sum: 1\r\n\r\n"));
  CHECK(kept.output.find("Trailer: X-Sum") != std::string::npos);
  const auto gone = run({{"gzip"}}, message(head + "Trailer: X-Sum, Repr-Digest\n", body));
  CHECK(gone.output.ends_with("0\r\n\r\n"));
  CHECK(gone.output.find("Trailer") == std::string::npos);
}

TEST_CASE("gzip: Vary names Accept-Encoding once, in one line; a star stays") {
  const auto vary = [&](const char* lines) {
    std::string found;
    const std::string head = outcome(kPlain + lines).first;
    for (std::size_t at = 0; (at = head.find("ary: ", at)) != head.npos; ++at) {
      found += head.substr(at + 5, head.find('\n', at) - at - 5) + "|";
    }
    return found;
  };
  CHECK(vary("") == "Accept-Encoding|");
  CHECK(vary("Vary: Cookie\n") == "Cookie, Accept-Encoding|");
  CHECK(vary("Vary: Cookie\nVary: Origin\n") == "Cookie, Origin, Accept-Encoding|");
  CHECK(vary("vary: accept-encoding\n") == "accept-encoding|");
  CHECK(vary("Vary: *\n") == "*|");
}

TEST_CASE("gzip: no body, an empty one, and bodies that may not be coded are left as they came") {
  const auto untouched = [](const std::string& text, const Options& options = {}) {
    const auto result = run({{"gzip", options}}, text);
    CHECK(result.error.empty());
    return result.output == text;
  };
  CHECK(untouched(message("HTTP/1.1 204 No Content\n", "")));
  CHECK(untouched(message("HTTP/1.1 304 Not Modified\nETag: \"a\"\n", "")));
  CHECK(untouched(message("HTTP/1.1 100 Continue\n", "")));
  CHECK(untouched(message("HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 0\n", "")));
  // A head alone: the answer to HEAD.
  CHECK(untouched(message("HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 23\n", "")));
  CHECK(
      untouched(message("HTTP/1.1 206 Partial Content\nContent-Type: text/plain\nContent-Range: "
                        "bytes 0-22/99\nContent-Length: 23\n",
                        kContent)));
  CHECK(untouched(message(kPlain + "Cache-Control: private, No-Transform\n", kContent)));
  CHECK(untouched(message(kPlain + "Content-Encoding: foo\n", kContent)));
  const std::string zipped = coded(Coding::gzip, kContent);
  CHECK(untouched(message("HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: " +
                              std::to_string(zipped.size()) + "\nContent-Encoding: gzip\n",
                          zipped)));
  CHECK(untouched(
      message("HTTP/1.1 200 OK\nContent-Type: image/png\nContent-Length: 23\n", kContent)));
  CHECK(untouched(message("HTTP/1.1 200 OK\nContent-Length: 23\n", kContent)));
  CHECK(untouched(message(kPlain, kContent), {{"min", "24"}}));
  CHECK(untouched(message(kPlain, kContent), {{"types", "image/*,text/html"}}));
}

TEST_CASE("gzip: --force codes a 206, against no-transform, and over another coding") {
  const Options force = {{"force", ""}};
  CHECK(
      codes("HTTP/1.1 206 Partial Content\nContent-Type: text/plain\nContent-Length: 23\n", force));
  CHECK(codes(kPlain + "Cache-Control: no-transform\n", force));
  const auto twice = outcome(kPlain + "Content-Encoding: foo\nContent-Encoding: bar\n", force);
  CHECK(twice.second);
  CHECK(twice.first.find("Content-Encoding: foo, bar, gzip\n") != std::string::npos);
  CHECK_FALSE(codes("HTTP/1.1 200 OK\nContent-Type: image/png\nContent-Length: 23\n", force));
}

TEST_CASE("gzip: identity, and a label the bytes refute, give way") {
  for (const char* label : {"identity", "gzip", "zstd"}) {
    const auto result =
        run({{"gzip"}}, message(kPlain + "content-encoding: " + label + "\n", kContent));
    CHECK(decoded(Coding::gzip, body_of(result.output)) == kContent);
    const std::string head = head_of(result.output);
    CHECK(head.find("ncoding: gzip\n") != std::string::npos);
    CHECK(head.find("ncoding: ", head.find("ncoding: ") + 1) == std::string::npos);
    CHECK(result.findings.size() == (label == std::string_view("identity") ? 0 : 1));
  }
}

TEST_CASE("gzip: types are compared in any case, without parameters, with stars") {
  const auto type = [&](const char* value, const Options& options = {}) {
    return codes("HTTP/1.1 200 OK\nContent-Type: " + std::string(value) + "\nContent-Length: 23\n",
                 options);
  };
  for (const char* text : {"text/html; charset=utf-8", "TEXT/Plain", "application/json",
                           "application/ld+json", "image/svg+xml", "application/xhtml+xml;x=y",
                           "application/javascript", "application/wasm"}) {
    CHECK(type(text));
  }
  for (const char* packed : {"image/png", "video/mp4", "application/zip", "font/woff2",
                             "application/octet-stream", "text", ""}) {
    CHECK_FALSE(type(packed));
    CHECK(type(packed, {{"types", "all"}}));
  }
  CHECK(type("image/png", {{"types", "image/*"}}));
  CHECK_FALSE(type("text/plain", {{"types", "image/*"}}));
}

TEST_CASE("gzip: a minimum counts content, known before or not; less leaves as it came") {
  const std::string open = "HTTP/1.1 200 OK\nContent-Type: text/plain\n";
  for (const std::string& text :
       {message(kPlain, kContent), message(open, kContent),
        message(open + "Transfer-Encoding: chunked\n",
                "3;a=b\r\nhel\r\n14\r\nlo hello hello hello\r\n0\r\nX: y\r\n\r\n")}) {
    for (const char* min : {"0", "1", "23"}) {
      const auto result = run({{"gzip", {{"min", min}}}}, text);
      CHECK(result.output.find("Content-Encoding: gzip") != std::string::npos);
      const auto back = run({{"inflate"}}, result.output);
      CHECK(back.output.find(kContent) != std::string::npos);
    }
    for (const char* min : {"24", "1k", "1M"}) {
      CHECK(run({{"gzip", {{"min", min}}}}, text).output == text);
    }
  }
}

TEST_CASE("gzip: an empty body of unknown size gets neither coding nor bytes") {
  const std::string open = "HTTP/1.1 200 OK\nContent-Type: text/plain\n";
  for (const std::string& text :
       {message(open, ""), message(open + "Transfer-Encoding: chunked\n", "0\r\n\r\n"),
        message(open + "Transfer-Encoding: chunked\n", "0\r\nX: y\r\n\r\n")}) {
    const auto result = run({{"gzip"}}, text);
    CHECK(result.error.empty());
    CHECK(result.output == text);
  }
}

TEST_CASE("gzip: a body that breaks off is an error, coded as far as it came") {
  const auto result = run({{"gzip"}}, message("HTTP/1.1 200 OK\nContent-Type: text/plain\n"
                                              "Content-Length: 100\n",
                                              kContent));
  CHECK(result.error == "body-cut");
}

TEST_CASE("gzip: with --negotiate a response that stands alone stays uncoded but varies") {
  const auto [head, changed] = outcome(kPlain, {{"negotiate", ""}});
  CHECK_FALSE(changed);
  CHECK(head == kPlain + "Vary: Accept-Encoding\n");
  CHECK(outcome(kPlain + "Cache-Control: no-transform\n", {{"negotiate", ""}}).first ==
        kPlain + "Cache-Control: no-transform\n");
}

TEST_CASE("gzip: --negotiate asks the request of the exchange") {
  const auto negotiated = [](const char* accepted, test::Log& log) {
    http::Message request, response;
    request.clear();
    response.clear();
    request.kind = http::Kind::request;
    request.log = response.log = &log;
    if (accepted != nullptr) REQUIRE(request.headers.append("Accept-Encoding", accepted));
    response.start.set_status(200);
    response.start.set_version("HTTP/1.1");
    REQUIRE(response.headers.append("Content-Type", "text/plain"));
    test::Pieces content(kContent);
    http::Body body;
    body.start(content, content, kContent.size());
    response.body = &body;
    http::Exchange exchange;
    exchange.request = &request;
    exchange.response = &response;
    exchange.number = 1;
    const http::Policy policy;
    Arguments arguments;
    arguments.options = {{"negotiate", ""}};
    arguments.selection = {.side = http::Side::response};
    arguments.policy = &policy;
    auto step = find("gzip")->make(arguments);
    REQUIRE(step);
    CHECK((*step)->apply(exchange));
    CHECK(response.headers.find("Vary")->value() == "Accept-Encoding");
    return body.touched();
  };
  test::Log log;
  for (const char* yes : {"gzip", "GZIP", "x-gzip", "br, *;q=0.1", "gzip;q=0.5, identity;q=0.5",
                          "deflate;q=1, gzip;q=0.001"}) {
    CHECK(negotiated(yes, log));
  }
  for (const char* no : {"", "br", "gzip;q=0", "gzip;q=0.2, identity;q=0.8", "gzip;q=nan"}) {
    CHECK_FALSE(negotiated(no, log));
  }
  CHECK_FALSE(negotiated(nullptr, log));
  CHECK(log.warnings.empty());
  CHECK_FALSE(negotiated("*;q=0", log));
  CHECK(log.warnings == std::vector<std::string>{"not-acceptable"});
}

TEST_CASE("gzip: an event stream is coded event by event") {
  const std::string head =
      "HTTP/1.1 200 OK\nContent-Type: text/event-stream\nTransfer-Encoding: chunked\n";
  const auto result =
      run({{"gzip"}}, message(head, "9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n"));
  CHECK(result.error.empty());
  const auto back = run({{"inflate"}, {"gzip"}, {"inflate"}}, result.output);
  CHECK(back.output.find("data: 1\n\ndata: 2\n\n") != std::string::npos);
}

TEST_CASE("gzip, deflate, br, zstd: values that make no sense are refused") {
  const auto refused = [](const char* verb, const Options& options) {
    const http::Policy policy;
    Arguments arguments;
    arguments.options = options;
    arguments.policy = &policy;
    auto made = find(verb)->make(arguments);
    return !made && made.error().code == Errc::usage;
  };
  for (const char* level : {"0", "10", "", "x", "-1", "6.5", "99999999999999999999"}) {
    CHECK(refused("gzip", {{"level", level}}));
  }
  CHECK(refused("zstd", {{"level", "20"}}));
  CHECK(refused("br", {{"level", "12"}}));
  CHECK_FALSE(refused("br", {{"level", "0"}}));
  CHECK_FALSE(refused("zstd", {{"level", "19"}}));
  for (const char* size : {"", "x", "1kb", "-1"}) CHECK(refused("gzip", {{"min", size}}));
  CHECK(refused("gzip", {{"types", ","}}));
  CHECK(refused("gzip", {{"etag", "strong"}}));
}

}  // namespace
}  // namespace rehead::transform
