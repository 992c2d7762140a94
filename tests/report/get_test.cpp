#include <catch2/catch.hpp>

#include "http/field_name.h"
#include "support/run_chain.h"

namespace rehead::report {
namespace {

constexpr std::string_view kPair =
    "GET /a?b=1 HTTP/1.1\r\nHost: h\r\nAuthorization: x\r\n\r\n"
    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nSet-Cookie: a=1\r\n"
    "set-cookie: b=2\r\nContent-Length: 6\r\n\r\none\ttw";

Ran get(const std::string& words, RunOptions options = {}) {
  return run_chain("get " + words, kPair, options);
}

TEST_CASE("get: one line per value, in the order of the names") {
  CHECK(get("set-cookie,content-type").out == "a=1\nb=2\ntext/html; charset=utf-8\n");
  CHECK(get("SET-COOKIE").out == "a=1\nb=2\n");
  CHECK(get("'set-*,host'").out == "h\na=1\nb=2\n");
  CHECK(get("res:content-length,req:host").out == "h\n6\n");
  CHECK(get("set-cookie", {.null = true}).out == std::string("a=1\0b=2\0", 8));
}

TEST_CASE("get: nothing found is no, --default is an answer") {
  CHECK(get("x-none").status == 1);
  CHECK(get("x-none").out.empty());
  CHECK(get("x-none,host").status == 0);
  CHECK(get("x-none --default -").out == "-\n-\n");
  CHECK(get("x-none --default -").status == 0);
  CHECK(run_chain("get :status", "").status == 1);
}

TEST_CASE("get: pseudo-fields, each from the half that has it") {
  CHECK(get(":method,:url,:path,:query,:status,:reason,:type,:size,:message").out ==
        "GET\nhttp://h/a?b=1\n/a\nb=1\n0\n1\n200\nOK\ntext/html\n6\n2\n");
  CHECK(get(":body").out == "one\ttw\n");
  CHECK(get(":file,:kind,:version").out == "f\nrequest\nHTTP/1.1\nf\nresponse\nHTTP/1.1\n");
}

TEST_CASE("get: --row gives a line a message, and the last column a row per value") {
  CHECK(get("--row :status,host,content-type").out == "\th\t\n200\t\ttext/html; charset=utf-8\n");
  CHECK(get("--row set-cookie,:status").out == "\t\na=1, b=2\t200\n");
  CHECK(get("--row :status,set-cookie").out == "\t\n200\ta=1\n200\tb=2\n");
  CHECK(get("--row --header :status,:body").out == ":status\t:body\n\t\n200\tone\\ttw\n");
  CHECK(get("--row --default - :status,host").out == "-\th\n200\t-\n");
  CHECK(get("--row -H host").out == "f\th\nf\t\n");
  CHECK(get("--row x-none").status == 1);
}

TEST_CASE("get: -H says the file") { CHECK(get("-H set-cookie").out == "f:a=1\nf:b=2\n"); }

TEST_CASE("get: line ends in a value do not make lines") {
  const std::string har =
      R"({"log":{"entries":[{"request":{"method":"GET","url":"http://h/","headers":[]},)"
      R"("response":{"status":200,"headers":[{"name":"X","value":"a\rb\tc"}]}}]}})";
  CHECK(run_chain("get x", har).out == "a\\rb\tc\n");
  CHECK(run_chain("get --row x", har).out == "a\\rb\\tc\n");
  CHECK(run_chain("get x", har, {.null = true}).out == std::string("a\rb\tc\0", 6));
}

TEST_CASE("get: a name seen on the other side only is reported") {
  const std::string har =
      R"({"log":{"entries":[{"request":{"method":"GET","url":"http://h/","headers":[)"
      R"({"name":"X-Token","value":"x"}]},"response":{"status":200,"headers":[]}}]}})";
  const Ran ran = run_chain("get x-token", har);
  CHECK(ran.status == 1);
  CHECK(ran.err ==
        "rehead: note: no response has x-token\n"
        "  hint: 1 request has it: get req:x-token\n");
  CHECK(run_chain("get req:x-token", har).out == "x\n");
  CHECK(run_chain("get x-token", har, {.side = http::Side::request}).out == "x\n");
  CHECK(run_chain("get x-token", har, {.side = http::Side::both}).out == "x\n");
}

TEST_CASE("get: a name that only requests have means the request") {
  std::string request, response;
  for (const std::string_view name : http::request_fields()) {
    std::string field(name);
    if (field.ends_with('*')) field.back() = 'x';
    request += R"(,{"name":")" + field + R"(","value":"q"})";
    response += R"(,{"name":")" + field + R"(","value":"s"})";
  }
  const std::string har =
      R"({"log":{"entries":[{"request":{"method":"GET","url":"http://h/","headers":[)" +
      request.substr(1) + R"(]},"response":{"status":200,"headers":[)" + response.substr(1) +
      "]}}]}}";
  for (const std::string_view name : http::request_fields()) {
    const std::string chain = "get '" + std::string(name) + "'";
    INFO(chain);
    CHECK(run_chain(chain, har).out == "q\n");
    CHECK(run_chain(chain, har, {.side = http::Side::response}).out == "s\n");
    CHECK(run_chain(chain, har, {.side = http::Side::both}).out == "q\ns\n");
    if (name.ends_with('*')) continue;
    const std::string field(name);
    CHECK(run_chain("set '" + field + ": n' then get req:" + field, har).out == "n\n");
    CHECK(run_chain("add '" + field + ": n' then get req:" + field, har).out == "q\nn\n");
  }
}

TEST_CASE("get: a pseudo-field, a field of that name, a cookie, a quoted name") {
  const std::string har =
      R"({"log":{"entries":[{"request":{"method":"GET","url":"http://h/v1","headers":[)"
      R"({"name":":path","value":"/v1?q"},{"name":":authority","value":"h"},)"
      R"({"name":"cookie","value":"sid=1; t=2"}]},"response":{"status":200,"headers":[)"
      R"({"name":":status","value":"200"},{"name":"x-*","value":"star"},)"
      R"({"name":"x-a","value":"a"},{"name":"set-cookie","value":"sid=3; Path=/"}]}}]}})";
  CHECK(run_chain("get :path", har).out == "/v1\n");
  CHECK(run_chain("get req::path", har).out == "/v1?q\n");
  CHECK(run_chain("get req::authority", har).out == "h\n");
  CHECK(run_chain("get req::version", har).status == 1);
  CHECK(run_chain("get res::status", har).out == "200\n");
  CHECK(run_chain("get cookie:sid", har).out == "1\n3\n");
  CHECK(run_chain("get 'cookie:?,x-a'", har).out == "2\na\n");
  CHECK(run_chain("get 'x-*'", har).out == "star\na\n");
  CHECK(run_chain("get '\"x-*\"'", har).out == "star\n");
}

TEST_CASE("get: -s both gives what each half has") {
  const std::string har =
      R"({"log":{"entries":[{"request":{"method":"POST","url":"http://h/","httpVersion":"HTTP/2",)"
      R"("headers":[],"postData":{"mimeType":"a/b","text":"ask"}},"response":{"status":200,)"
      R"("httpVersion":"HTTP/1.1","headers":[],"content":{"text":"answers"}}}]}})";
  CHECK(run_chain("get :body", har, {.side = http::Side::both}).out == "ask\nanswers\n");
  CHECK(run_chain("get :size,:version", har, {.side = http::Side::both}).out ==
        "3\n7\nHTTP/2\nHTTP/1.1\n");
  CHECK(run_chain("get :method,:status", har, {.side = http::Side::both}).out == "POST\n200\n");
}

TEST_CASE("get: bodies are not judged unless asked for") {
  constexpr std::string_view cut = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello";
  const Ran ran = run_chain("get :status", cut);
  CHECK(ran.status == 0);
  CHECK(ran.err.find("warning") != std::string::npos);
  http::Policy strict;
  strict.strictness = http::Strictness::strict;
  CHECK(run_chain("get :status", cut, {.policy = strict}).status == 3);
}

TEST_CASE("get: names that cannot be meant are refused") {
  const auto refuses = [](const std::string& argument, std::map<std::string, std::string> options) {
    const http::Policy policy;
    for (const ReportInfo* info : all()) {
      if (info->name != "get") continue;
      const auto made = info->make({.argument = argument,
                                    .options = std::move(options),
                                    .selection = {},
                                    .policy = &policy});
      return !made && made.error().code == Errc::usage;
    }
    return false;
  };
  CHECK(refuses("", {}));
  CHECK(refuses("a,,b", {}));
  CHECK(refuses("x.har", {}));
  CHECK(refuses(":statu", {}));
  CHECK(refuses("x", {{"header", ""}}));
}

}  // namespace
}  // namespace rehead::report
