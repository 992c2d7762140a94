// What the steps mean in a HAR: the text is decoded, the headers tell of the wire, what is said
// twice stays in step.
#include <catch2/catch.hpp>
#include <string>

#include "format/har_chain.h"

namespace rehead::format {
namespace {

std::string header(const std::string& name, const std::string& value) {
  return R"({"name":")" + name + R"(","value":")" + value + "\"}";
}

/// A response with these headers and the text "hello", 40 bytes on the wire.
std::string hello(const std::string& headers, const std::string& sizes = "", int body_size = 40) {
  return R"({"status":200,"httpVersion":"HTTP/1.1","headers":[)" + headers +
         R"(],"content":{"size":5,"mimeType":"text/plain","text":"hello")" + sizes +
         R"(},"bodySize":)" + std::to_string(body_size) + "}";
}

TEST_CASE("har: inflate takes the label off decoded text and tells of the text's size") {
  CHECK(response_after(
            hello(header("Content-Encoding", "gzip") + "," + header("Content-Length", "40"),
                  R"(,"compression":-35)"),
            {"inflate"}) == hello(header("Content-Length", "5"), R"(,"compression":0)", 5));
  const std::string plain = hello(header("Content-Length", "5"));
  CHECK(response_after(plain, {"inflate"}) == plain);
}

TEST_CASE("har: inflate decodes what is coded in truth") {
  // base64 of gzip("hello").
  const std::string text = R"("text":"H4sIAAAAAAAA/8tIzcnJBwCGphA2BQAAAA==","encoding":"base64"})";
  const std::string response = R"({"status":200,"headers":[)" + header("content-encoding", "gzip") +
                               R"(],"content":{"size":25,"mimeType":"",)" + text + "}";
  const std::string out = response_after(response, {"inflate"});
  CHECK(out.find("\"text\":\"hello\"") != std::string::npos);
  CHECK(out.find("base64") == std::string::npos);
  CHECK(out.find("\"size\":5") != std::string::npos);
  CHECK(out.find("gzip") == std::string::npos);
}

TEST_CASE("har: gzip keeps the text and tells of the coded bytes") {
  const std::string out = response_after(
      hello(header("Content-Type", "text/plain") + "," + header("Content-Length", "40")), {"gzip"});
  // How long it is coded is the coder's: three places tell the same.
  const std::size_t at = out.find("\"bodySize\":") + 11;
  const std::string size = out.substr(at, out.size() - 1 - at);
  CHECK(std::stoi(size) > 5);
  CHECK_THAT(out, Catch::Contains(R"("text":"hello","compression":)" +
                                  std::to_string(5 - std::stoi(size)) + "}"));
  CHECK_THAT(out, Catch::Contains(header("Content-Length", size)));
  CHECK_THAT(out, Catch::Contains(header("Content-Encoding", "gzip")));
}

TEST_CASE("har: content-length is the length on the wire, where that is known") {
  CHECK(response_after(hello(header("Content-Length", "7")), {"content-length"}) ==
        hello(header("Content-Length", "40")));
  CHECK(response_after(hello("", "", -1), {"content-length"}) ==
        hello(header("Content-Length", "5"), "", -1));
  // Coded on the wire, and nothing tells how long: no length is made up.
  const std::string unknown = hello(header("Content-Encoding", "br"), "", -1);
  CHECK(response_after(unknown, {"content-length"}) == unknown);
}

TEST_CASE("har: dechunk and chunk change labels alone") {
  CHECK(response_after(hello(header("Transfer-Encoding", "chunked")), {"dechunk"}) ==
        hello(header("Content-Length", "40")));
  CHECK(response_after(hello(header("Content-Length", "40")), {"chunk"}) ==
        hello(header("Transfer-Encoding", "chunked")));
}

TEST_CASE("har: drop-body takes text and encoding, recorded headers and sizes stay") {
  const std::string head =
      R"({"status":200,"headers":[)" + header("Content-Length", "9") + R"(],"content":{)";
  const std::string tail = R"(},"bodySize":9})";
  CHECK(response_after(head + R"("size":3,"text":"YWJj","encoding":"base64","x":1)" + tail,
                       {"drop-body"}) == head + R"("size":3,"x":1)" + tail);
  CHECK(response_after(head + R"("text":"abc","size":3)" + tail, {"drop-body"}) ==
        head + R"("size":3)" + tail);
  CHECK(response_after(head + R"("text":"abc")" + tail, {"drop-body"}) == head + tail);
}

TEST_CASE("har: another body comes with its sizes") {
  CHECK(response_after(hello(header("Content-Length", "40")), {"body \"new\""}) ==
        R"({"status":200,"httpVersion":"HTTP/1.1","headers":[)" + header("Content-Length", "5") +
            R"(],"content":{"size":5,"mimeType":"text/plain","text":"\"new\""},"bodySize":5})");
  const std::string binary = response_after(hello(""), {"body a\xFF"});
  CHECK_THAT(binary, Catch::Contains(R"("text":"Yf8=","encoding":"base64")"));
  CHECK(response_after(R"({"status":200,"headers":[]})", {"body x"}) ==
        R"({"status":200,"headers":[{"name":"Content-Length","value":"1"}],)"
        R"("content":{"size":1,"mimeType":"","text":"x"},"bodySize":1})");
}

TEST_CASE("har: cookies[] follows Set-Cookie; what did not change keeps every member") {
  const auto response = [](const std::string& headers, const std::string& cookies) {
    return R"({"status":200,"headers":[)" + headers + R"(],"cookies":[)" + cookies + "]}";
  };
  const std::string a = R"({"name":"a","value":"1","path":"/","_x":[1]})";
  const std::string b = R"({"name":"b","value":"two"})";
  const std::string fields =
      header("Set-Cookie", "a=1; Path=/") + "," + header("Set-Cookie", "b=two; HttpOnly");
  const std::string both = response(fields, a + "," + b);
  CHECK(response_after(both, {"remove-cookie a"}) ==
        response(header("Set-Cookie", "b=two; HttpOnly"), b));
  CHECK(response_after(both, {"set-cookie a=2"}) ==
        response(header("Set-Cookie", "a=2") + "," + header("Set-Cookie", "b=two; HttpOnly"),
                 R"({"name":"a","value":"2","_x":[1]},)" + b));
  CHECK(response_after(both, {"set-cookie b; Secure; !HttpOnly"}) ==
        response(header("Set-Cookie", "a=1; Path=/") + "," + header("Set-Cookie", "b=two; Secure"),
                 a + R"(,{"name":"b","value":"two","secure":true})"));
  CHECK(response_after(both, {"remove set-cookie"}) == response("", ""));
  CHECK(response_after(both, {"add Set-Cookie: c=3; Max-Age=1"}) ==
        response(fields + "," + header("Set-Cookie", "c=3; Max-Age=1"),
                 a + "," + b + R"(,{"name":"c","value":"3"})"));
  CHECK(response_after(both, {"lower"}).ends_with(a + "," + b + "]}"));
  // A producer that never fills the list is left alone.
  CHECK(response_after(response(fields, ""), {"remove-cookie a"}) ==
        response(header("Set-Cookie", "b=two; HttpOnly"), ""));
}

TEST_CASE("har: cookies joined by LF are split, and joined again on request") {
  const auto response = [](const std::string& headers) {
    return R"({"status":200,"headers":[)" + headers + "]}";
  };
  const std::string joined = header("set-cookie", "a=1\\nb=2");
  const std::string split = header("set-cookie", "a=1") + "," + header("set-cookie", "b=2");
  CHECK(response_after(response(joined), {"split-cookies"}) == response(split));
  CHECK(response_after(response(split), {"merge-cookies --join-lf"}) == response(joined));
  CHECK(response_after(response(joined), {"merge-cookies --join-lf"}) == response(joined));
}

TEST_CASE("har: the Cookie of a request and its cookies[] stay in step") {
  const auto request = [](const std::string& cookie, const std::string& cookies) {
    return R"({"method":"GET","url":"https://a.example/","headers":[)" + header("Cookie", cookie) +
           R"(],"cookies":[)" + cookies + "]}";
  };
  CHECK(request_after(request("a=1; b=2", R"({"value":"1","name":"a"},{"value":"2","name":"b"})"),
                      {"remove-cookie a"}) == request("b=2", R"({"value":"2","name":"b"})"));
}

TEST_CASE("har: mimeType, redirectURL and bodySize follow their headers") {
  CHECK(response_after(hello(header("Content-Type", "text/plain")), {"set Content-Type: a/b"}) ==
        R"({"status":200,"httpVersion":"HTTP/1.1","headers":[)" + header("Content-Type", "a/b") +
            R"(],"content":{"size":5,"mimeType":"a/b","text":"hello"},"bodySize":40})");
  const auto moved = [](const std::string& location, const std::string& url) {
    return R"({"status":302,"headers":[)" + header("Location", location) + R"(],"redirectURL":")" +
           url + "\"}";
  };
  CHECK(response_after(moved("/x", "/x"), {"set Location: /y"}) == moved("/y", "/y"));
  CHECK(response_after(moved("/x", "https://a.example/x"), {"set Location: /y"}) ==
        moved("/y", "https://a.example/y"));
  CHECK(response_after(moved("/x", "https://a.example/x"), {"set Location: http://b/"}) ==
        moved("http://b/", "http://b/"));
  CHECK(response_after(hello(header("Content-Length", "40")), {"set Content-Length: 7"}) ==
        hello(header("Content-Length", "7"), "", 7));
}

TEST_CASE("har: url and queryString stay in step") {
  const auto request = [](const std::string& url, const std::string& query) {
    return R"({"method":"GET","url":")" + url + R"(","headers":[],"queryString":[)" + query + "]}";
  };
  const std::string text =
      har_of(request("https:\\/\\/a.example/p?a=1&b=%20", R"({"name":"a","value":"1","_":0},)"
                                                          R"({"name":"b","value":" "})"),
             "null");
  ConvertOptions options{.from = "har", .to = "har"};
  SECTION("the URL changes") {
    options.each = [](http::Exchange& exchange) { exchange.url = "http://b/?a=1&c=x%26y"; };
    CHECK(convert(text, options).output ==
          har_of(request("http://b/?a=1&c=x%26y",
                         R"({"name":"a","value":"1","_":0},{"name":"c","value":"x&y"})"),
                 "null"));
  }
  SECTION("the target changes") {
    options.each = [](http::Exchange& exchange) { exchange.request->start.set_target("/q"); };
    CHECK(convert(text, options).output == har_of(request("https://a.example/q", ""), "null"));
  }
}

TEST_CASE("har: parts of the start line that change are put in their places") {
  ConvertOptions options{.from = "har", .to = "har"};
  options.each = [](http::Exchange& exchange) {
    exchange.response->start.set_status(503);
    exchange.response->start.set_reason("Busy \"now\"");
    exchange.response->start.set_version("HTTP/1.1");
    exchange.request->start.set_method("PUT");
  };
  CHECK(
      convert(har_of(R"({"method":"GET","headers":[]})", R"({"status":200,"headers":[]})"), options)
          .output ==
      har_of(
          R"({"method":"PUT","headers":[]})",
          R"({"status":503,"headers":[],"httpVersion":"HTTP/1.1","statusText":"Busy \"now\""})"));
}

}  // namespace
}  // namespace rehead::format
