// From HAR to other formats, from others to HAR, and several documents into one.
#include <catch2/catch.hpp>
#include <string>

#include "format/har_chain.h"

namespace rehead::format {
namespace {

using namespace std::string_literals;

/// The raw message of one half of an entry.
std::string raw(const std::string& request, const std::string& response,
                http::Side side = http::Side::response) {
  FindingList findings;
  MemorySink output;
  const http::Policy policy;
  auto sink = find("http")->make_sink(
      {.output = &output, .policy = &policy, .log = &findings, .selection = {side, true}});
  const std::string text = har_of(request, response);
  auto opened = open({.reader = std::make_unique<MemoryReader>(text),
                      .file = "test",
                      .output = nullptr,
                      .policy = &policy,
                      .log = &findings},
                     "har");
  REQUIRE(opened);
  while (true) {
    auto exchange = opened->source->next();
    REQUIRE(exchange);
    if (*exchange == nullptr) return output.text();
    if (!(*exchange)->passage) CHECK(sink->write(**exchange));
  }
}

TEST_CASE("har to http: decoded text leaves under labels that are true") {
  CHECK(raw(kGet, R"({"status":200,"statusText":"OK","httpVersion":"http/2.0","headers":[)"
                  R"({"name":":status","value":"200"},{"name":"Content-Encoding","value":"br"},)"
                  R"({"name":"Transfer-Encoding","value":"chunked"},)"
                  R"({"name":"Set-Cookie","value":"a=1\n\nb=2"}],"content":{"text":"h\u00e9"}})") ==
        "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: "
        "3\r\n\r\nh\xC3\xA9");
  CHECK(raw(kGet, R"({"status":200,"headers":[{"name":"Content-Length","value":"77"}],)"
                  R"("content":{"size":77}})") == "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n");
  CHECK(
      raw(kGet,
          R"({"status":200,"headers":[],"content":{"text":"aGkA\r\nCg==","encoding":"base64"}})") ==
      "HTTP/1.1 200 \r\nContent-Length: 4\r\n\r\nhi\0\n"s);
}

TEST_CASE("har to http: no byte of a value, name, reason or URL ends a line") {
  CHECK(raw(kGet,
            R"({"status":200,"statusText":"O\r\nK","httpVersion":"x\r\ny","headers":[)"
            R"({"name":"A","value":"1\r\nX-Injected: 1"},{"name":"B\r\nC","value":"1"},)"
            R"({"name":"","value":"1"},{"name":"D","value":"\u0000"}],"content":{"text":""}})") ==
        "HTTP/1.1 200 O  K\r\nA: 1 \r\nA: X-Injected: 1\r\nD:  \r\nContent-Length: 0\r\n\r\n");
  CHECK(raw(R"({"method":"GET","url":"https://a.example/x y\r\nz\u00e9?q#f","headers":[]})", "null",
            http::Side::request) ==
        "GET /x%20y%0D%0Az%C3%A9?q HTTP/1.1\r\nHost: a.example\r\n\r\n");
}

TEST_CASE("har to http: requests get target, Host and a body that is framed") {
  CHECK(raw(R"({"method":"POST","url":"http://u:p@a.example:81?x=1","httpVersion":"h2","headers":[)"
            R"({"name":":path","value":"/"},{"name":"content-length","value":"9"}],)"
            R"("postData":{"mimeType":"application/x-www-form-urlencoded",)"
            R"("params":[{"name":"a b","value":"c&d"},{"name":"e"}]}})",
            "null", http::Side::request) ==
        "POST /?x=1 HTTP/1.1\r\nHost: a.example:81\r\ncontent-length: 12\r\n\r\na+b=c%26d&e=");
  CHECK(raw(R"({"method":"POST","url":"http://a/","headers":[{"name":"Host","value":"b"},)"
            R"({"name":"Content-Length","value":"9"}]})",
            "null", http::Side::request) == "POST / HTTP/1.1\r\nHost: b\r\n\r\n");
  CHECK(raw(R"({"method":"CONNECT","url":"https://a.example:443/","headers":[]})", "null",
            http::Side::request) ==
        "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n");
  CHECK(
      raw(R"({"method":"GET","url":"data:text/plain,x","headers":[]})", "null", http::Side::request)
          .empty());
}

TEST_CASE("har to http: what was no message on the wire is left out") {
  for (const std::string status : {"0", "-2", "null", "101"}) {
    CHECK(
        raw(kGet, R"({"status":)" + status + R"(,"headers":[{"name":"A","value":"1"}]})").empty());
  }
  CHECK(raw(kGet, "null").empty());
  CHECK(raw(kGet,
            R"({"status":304,"headers":[{"name":"ETag","value":"\"x\""}],)"
            R"("content":{"text":"from the cache"}})") == "HTTP/1.1 304 \r\nETag: \"x\"\r\n\r\n");
  CHECK(raw(R"({"method":"HEAD","url":"http://a/","headers":[]})",
            R"({"status":200,"headers":[{"name":"Content-Length","value":"9"}],"content":{}})") ==
        "HTTP/1.1 200 \r\nContent-Length: 9\r\n\r\n");
}

TEST_CASE("har: a text that is not the base64 it is said to be is taken as it stands") {
  CHECK(
      raw(kGet,
          R"({"status":200,"headers":[],"content":{"text":"not base64!","encoding":"base64"}})") ==
      "HTTP/1.1 200 \r\nContent-Length: 11\r\n\r\nnot base64!");
}

TEST_CASE("har to curl: a command per request, quoted for a shell") {
  const auto command = [](const std::string& request) {
    return through(har_of(request, "null"), {}, SIZE_MAX, "curl");
  };
  FindingList findings;
  const auto run = [&](const std::string& request) {
    MemorySink output;
    const http::Policy policy;
    auto sink = find("curl")->make_sink({.output = &output,
                                         .policy = &policy,
                                         .log = &findings,
                                         .selection = {http::Side::request, false}});
    ConvertOptions options{.from = "har", .to = "har"};
    options.each = [&](http::Exchange& exchange) { CHECK(sink->write(exchange)); };
    convert(har_of(request, "null"), options);
    return output.text();
  };
  CHECK(command(kGet).error.empty());
  CHECK(run(kGet) == "curl 'https://a.example/'\n");
  CHECK(run(R"({"method":"PUT","url":"http://a/[1]","headers":[{"name":"Host","value":"a"},)"
            R"({"name":":path","value":"/"},{"name":"X","value":"it's"},{"name":"E","value":""}],)"
            R"("postData":{"text":"a\nb"}})") ==
        "curl -g 'http://a/[1]' -X 'PUT' -H 'X: it'\\''s' -H 'E;' -H 'Content-Type:' --data-raw "
        "'a\nb'\n");
  CHECK(run(R"({"method":"POST","url":"http://a/","headers":[],"postData":{"text":"\u0000@x"}})") ==
        "printf %s 'AEB4' | base64 -d | curl 'http://a/' -H 'Content-Type:' --data-binary @-\n");
  CHECK(
      run(R"({"method":"HEAD","url":"http://a/","headers":[{"name":"A","value":"1\n2\u0000"}]})") ==
      "curl 'http://a/' -I -H 'A: 1' -H 'A: 2 '\n");
}

TEST_CASE("http to har: a valid document, requests with their responses") {
  const Converted made = convert(
      "POST /p?q=%31 HTTP/1.1\r\nHost: a.example\r\nCookie: s=1\r\nContent-Length: 2\r\n\r\nhi"
      "HTTP/1.1 200 OK\r\nDate: Wed, 09 Jun 2027 10:18:14 GMT\r\nContent-Type: text/plain\r\n"
      "Set-Cookie: a=1; Path=/; Expires=Wed, 09-Jun-27 10:18:14 GMT; HttpOnly\r\n"
      "Content-Length: 3\r\n\r\n\xFF\xFE\n",
      {.from = "http", .to = "har"});
  CHECK(made.error.empty());
  CHECK(
      made.output ==
      R"({"log":{"version":"1.2","creator":{"name":"rehead","version":"0.1.0"},"entries":[)"
      R"({"request":{"method":"POST","url":"http://a.example/p?q=%31","httpVersion":"HTTP/1.1",)"
      R"("headers":[{"name":"Host","value":"a.example"},{"name":"Cookie","value":"s=1"},)"
      R"({"name":"Content-Length","value":"2"}],"cookies":[{"name":"s","value":"1"}],)"
      R"("headersSize":-1,"queryString":[{"name":"q","value":"1"}],"bodySize":2,)"
      R"("postData":{"mimeType":"","text":"hi"}},)"
      R"("response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","headers":[)"
      R"({"name":"Date","value":"Wed, 09 Jun 2027 10:18:14 GMT"},)"
      R"({"name":"Content-Type","value":"text/plain"},)"
      R"({"name":"Set-Cookie","value":"a=1; Path=/; Expires=Wed, 09-Jun-27 10:18:14 GMT; HttpOnly"},)"
      R"({"name":"Content-Length","value":"3"}],"cookies":[{"name":"a","value":"1","path":"/",)"
      R"("expires":"2027-06-09T10:18:14.000Z","httpOnly":true}],"headersSize":-1,"redirectURL":"",)"
      R"("bodySize":3,"content":{"size":3,"mimeType":"text/plain","encoding":"base64","text":"//4K"}},)"
      R"("startedDateTime":"2027-06-09T10:18:14.000Z","time":0,"cache":{},)"
      R"("timings":{"send":0,"wait":0,"receive":0}}]}})"
      "\n");
  CHECK(convert(made.output, {.from = "har", .to = "har"}).output == made.output);
}

TEST_CASE("http to har: coded bodies are decoded, requests without an answer are kept") {
  const Converted coded = convert(
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n"
      "\x1f\x8b\x08\0\0\0\0\0\0\xff\xcb\x48\xcd\xc9\xc9\x07\0\x86\xa6\x10\x36\x05\0\0\0"s,
      {.from = "http", .to = "har"});
  CHECK_THAT(coded.output,
             Catch::Contains(R"("bodySize":25,"content":{"size":5,"mimeType":"","compression":-20,)"
                             R"("text":"hello"})"));
  const Converted alone =
      convert("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n",
              {.from = "http", .to = "har"});
  CHECK_THAT(alone.output, Catch::Contains(R"("url":"http://a/a")"));
  CHECK_THAT(alone.output, Catch::Contains(R"("url":"http://a/b")"));
  CHECK(convert(alone.output, {.from = "har", .to = "har"}).messages == 2);
}

TEST_CASE("http to har: a followed redirect tells the URL of the next answer") {
  const Converted made = convert(
      "HTTP/1.1 302 Found\r\nLocation: https://b.example/x\r\nContent-Length: 0\r\n\r\n"
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      {.from = "http", .to = "har"});
  CHECK_THAT(made.output, Catch::Contains(R"("url":"about:blank")"));
  CHECK_THAT(made.output, Catch::Contains(R"("url":"https://b.example/x")"));
}

TEST_CASE("har: documents one behind the other become one") {
  const std::string first = R"({"log":{"version":"1.2","entries":[{"request":null}],"c":1}})";
  const std::string second =
      R"({"log":{"version":"1.1","pages":[{"id":"p"}],"entries":[ {"request":{}} , {"response":null}]}})";
  CHECK(through(first + "\n" + second + "\n").output ==
        R"({"log":{"version":"1.2","entries":[{"request":null},{"request":{}},{"response":null}],)"
        R"("pages":[{"id":"p"}],"c":1}})");
  CHECK(through("[{\"request\":{}}]" + first).output == R"([{"request":{}},{"request":null}])");
  const std::string lines = "{\"request\":{}}\n{\"response\":{}}\n";
  CHECK(through(lines).output == lines);
  CHECK(through(lines + first).output == lines + "{\"request\":null}");
}

TEST_CASE("har: pages of the first document are joined by those of the next") {
  const std::string next = R"({"log":{"pages":[{"id":"b"}],"entries":[]}})";
  CHECK(through(R"({"log":{"entries":[],"pages":[ {"id":"a"} ]}})" + next).output ==
        R"({"log":{"entries":[],"pages":[ {"id":"a"} ,{"id":"b"}]}})");
  // Once they are written, all of them stand again at the end: the last member of a name counts.
  const Converted late = through(R"({"log":{"pages":[{"id":"a"}],"entries":[]}})" + next + next);
  CHECK(late.output == R"({"log":{"pages":[{"id":"a"}],"entries":[],)"
                       R"("pages":[{"id":"a"},{"id":"b"}]}})");
  CHECK(late.findings.size() == 1);
}

TEST_CASE("har: several inputs give one document, with all pages behind the entries") {
  FindingList findings;
  MemorySink output;
  const http::Policy policy;
  auto sink = find("har")->make_sink(
      {.output = &output, .policy = &policy, .log = &findings, .selection = {}, .several = true});
  for (const std::string_view text :
       {R"({"log":{"pages":[{"id":"a"}],"version":"1.2","entries":[{"request":null}]}})",
        "HTTP/1.1 204 No Content\r\n\r\n", R"({"request":{"headers":[]}})",
        R"({"log":{"pages":[{"id":"b"}],"entries":[{}]}})"}) {
    auto opened = open({.reader = std::make_unique<MemoryReader>(text),
                        .file = "test",
                        .output = nullptr,
                        .policy = &policy,
                        .log = &findings},
                       "auto");
    REQUIRE(opened);
    while (true) {
      auto exchange = opened->source->next();
      REQUIRE(exchange);
      if (*exchange == nullptr) break;
      const auto done = (*exchange)->passage ? sink->pass(**exchange) : sink->write(**exchange);
      REQUIRE(done);
    }
  }
  REQUIRE(sink->finish());
  CHECK_THAT(
      output.text(),
      Catch::StartsWith(R"({"log":{"version":"1.2","entries":[{"request":null},{"request":{)"));
  CHECK_THAT(
      output.text(),
      Catch::EndsWith(R"(,{"request":{"headers":[]}},{}],"pages":[{"id":"a"},{"id":"b"}]}})"));
}

TEST_CASE("har: entries that are left out take their commas along") {
  const std::string text =
      "{\"log\":{\"entries\":[\n  {\"time\":1},\n  {\"time\":2},\n  {\"time\":3}\n]}}";
  const auto keeping = [&](std::string_view wanted) {
    FindingList findings;
    MemorySink output;
    const http::Policy policy;
    auto sink = find("har")->make_sink(
        {.output = &output, .policy = &policy, .log = &findings, .selection = {}});
    auto opened = open({.reader = std::make_unique<MemoryReader>(text),
                        .file = "test",
                        .output = nullptr,
                        .policy = &policy,
                        .log = &findings},
                       "har");
    while (true) {
      auto exchange = opened->source->next();
      REQUIRE(exchange);
      if (*exchange == nullptr) break;
      if ((*exchange)->passage) {
        REQUIRE(sink->pass(**exchange));
      } else if (wanted.find((*exchange)->ms) != wanted.npos) {
        REQUIRE(sink->write(**exchange));
      }
    }
    REQUIRE(sink->finish());
    return output.text();
  };
  CHECK(keeping("123") == text);
  CHECK(keeping("13") == "{\"log\":{\"entries\":[\n  {\"time\":1},\n  {\"time\":3}\n]}}");
  CHECK(keeping("2") == "{\"log\":{\"entries\":[\n  {\"time\":2}\n]}}");
  CHECK(keeping("3") == "{\"log\":{\"entries\":[\n  {\"time\":3}\n]}}");
  CHECK(keeping("") == "{\"log\":{\"entries\":[\n]}}");
}

TEST_CASE("har: auto tells HAR from its bytes, and JSONP and UTF-16 are told with a way out") {
  const auto error = [](std::string_view text) {
    const Converted done = convert(text, {.from = "auto", .to = "har"});
    return done.errors.empty() ? std::string() : done.errors[0];
  };
  CHECK(error("\xEF\xBB\xBF {\"log\":{\"entries\":[]}}").empty());
  CHECK(error("[]").empty());
  CHECK_THAT(error("onInputData({\"log\":{}})"), Catch::Contains("JSONP"));
  CHECK_THAT(error("\xFF\xFE{\0"s), Catch::Contains("UTF-16"));
}

}  // namespace
}  // namespace rehead::format
