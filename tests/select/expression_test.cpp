#include "select/expression.h"

#include <catch2/catch.hpp>

#include "http/field_name.h"
#include "support/run_chain.h"
#include "transform/harness.h"

namespace rehead::select {
namespace {

constexpr std::string_view kResponse =
    "HTTP/1.1 404 Not Found\nContent-Type: Text/HTML; charset=utf-8\nX-A: 1\nx-a: two\n"
    "Content-Length: 5\nSet-Cookie: sid=a=b; Path=/\nEmpty: \nHigh: caf\xE9\n\nhello";
constexpr std::string_view kRequest =
    "GET /a/b?q=1&r= HTTP/1.1\nHost: Www.Example.com:8080\nCookie: sid=1; theme=dark\n";

const http::Policy kPolicy;

/// Whether the expression holds for a message on its own.
bool holds(std::string_view expression, std::string_view message) {
  INFO(expression);
  transform::Drive drive(message);
  auto made = Expression::parse(expression, kPolicy);
  if (!made) FAIL(made.error().what);
  const auto held = made->holds(drive.exchange);
  REQUIRE(held);
  return *held;
}
bool response(std::string_view expression) { return holds(expression, kResponse); }
bool request(std::string_view expression) {
  transform::Drive drive(kRequest);
  drive.message.start.set_target("/a/b?q=1&r=");
  auto made = Expression::parse(expression, kPolicy);
  if (!made) FAIL(made.error().what);
  const auto held = made->holds(drive.exchange);
  REQUIRE(held);
  return *held;
}

/// What the parser has against it.
Error refusal(std::string_view expression) {
  INFO(expression);
  auto made = Expression::parse(expression, kPolicy);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == Errc::usage);
  return made.error();
}

TEST_CASE("expression: status knows lists, classes and order") {
  CHECK(response("status=404"));
  CHECK(response("status=200,4xx"));
  CHECK(response("status=4XX"));
  CHECK(response("status>=400 and status<405 and status>403 and status<=404"));
  CHECK(response("status~^4"));
  CHECK(response("status!=200"));
  CHECK_FALSE(response("status=200,5xx"));
  CHECK_FALSE(response("status!=404"));
  CHECK_FALSE(request("status=404"));
  CHECK(request("status!=404"));
}

TEST_CASE("expression: not binds before and, and before or") {
  CHECK(response("status=200 and status=200 or status=404"));
  CHECK(response("status=404 or status=200 and status=200"));
  CHECK_FALSE(response("(status=404 or status=200) and status=200"));
  CHECK(response("not status=200 and status=404"));
  CHECK_FALSE(response("not (status=404 or status=200)"));
  CHECK(response("not not status=404"));
  CHECK(response("not(status=200)and(status=404)"));
  CHECK(response("not (status=200 and not status=404)"));
}

TEST_CASE("expression: a type is matched by globs, any case, without parameters") {
  CHECK(response("type=text/html"));
  CHECK(response("type=image/*,TEXT/*"));
  CHECK_FALSE(response("type=text/plain"));
  CHECK(refusal("type='text/html; charset=utf-8'").what.find("parameters") != std::string::npos);
  CHECK(response("type~html and type!~HTML"));
}

TEST_CASE("expression: any instance of a field will do, an absent one satisfies nothing but not") {
  CHECK(response("h:x-a=1"));
  CHECK(response("h:X-A=two"));
  CHECK_FALSE(response("h:x-a=Two"));
  CHECK_FALSE(response("h:x-a!=1"));
  CHECK(response("h:x-a~t and h:x-a~^1$"));
  CHECK_FALSE(response("h:none=1"));
  CHECK_FALSE(response("h:none~''"));
  CHECK(response("h:none!=1"));
  CHECK(response("h:none!~x"));
  CHECK(response("h:empty=''"));
  CHECK(response("h:x-a>0"));
  CHECK_FALSE(response("h:x-a>1"));
  CHECK(response("h:content-length<1k"));
  CHECK(response("res:x-a=1"));
  CHECK_FALSE(response("req:x-a=1"));
}

TEST_CASE("expression: has: takes every kind of field, a plain name too") {
  CHECK(response("has:x-a"));
  CHECK(response("has:h:x-a and has:res:x-a and has:cookie:sid and has:status and has:body"));
  CHECK_FALSE(response("has:req:x-a"));
  CHECK_FALSE(response("has:method"));
  CHECK(response("has:empty"));
  CHECK(request("has:host and has:query and not has:body"));
}

TEST_CASE("expression: URL parts come from target and Host") {
  CHECK(request("method=GET and method=get"));
  CHECK(request("url=http://Www.Example.com:8080/a/b?q=1&r="));
  CHECK(request("host=*.example.com"));
  CHECK(request("host=www.example.com,other"));
  CHECK_FALSE(request("host=example.com"));
  CHECK(request("path=/a/b and query='q=1&r=' and scheme=HTTP"));
  CHECK(request("path~^/(a|c)/"));
  CHECK(request("kind=request and version=HTTP/1.1 and version<HTTP/2"));
}

TEST_CASE("expression: cookies of both directions") {
  CHECK(request("cookie:sid=1"));
  CHECK(request("cookie:theme~k$"));
  CHECK_FALSE(request("cookie:Sid=1"));
  CHECK(response("cookie:sid=a=b"));
  CHECK_FALSE(response("cookie:Path=/"));
}

TEST_CASE("expression: sizes know k, M and G") {
  CHECK(response("size=5"));
  CHECK(response("size>4 and size<1k and size<=0.5k"));
  CHECK_FALSE(response("size>1M"));
  CHECK(holds("size=0", "HTTP/1.1 204 No Content\n"));
}

TEST_CASE("expression: patterns see bytes") {
  CHECK(response("h:high~'caf\xE9$'"));
  CHECK(response("h:high~'^caf.$'"));
  CHECK(response("h:high~'\\xE9'"));
  CHECK(response("body ~ (?i)HELL and body !~ HELL"));
}

TEST_CASE("expression: quotes keep blanks, commas, stars and words of the grammar") {
  constexpr std::string_view message =
      "HTTP/1.1 200 OK\nA: b, c\nOr: and\nStar: x*y\nQuote: it's\nParen: f(x)\n";
  CHECK(holds("h:a='b, c'", message));
  CHECK(holds("h:a=x,'b, c'", message));
  CHECK(holds("h:or=and and h:'or'=\"and\"", message));
  CHECK(holds("h:star='x*y'", message));
  CHECK(holds("h:quote=\"it's\"", message));
  CHECK(holds("h:paren=f(x)", message));
  CHECK(holds("(h:paren=f(x))", message));
}

TEST_CASE("expression: what cannot be meant is refused, with its place and a way out") {
  struct Row {
    std::string_view text, says, at;
  };
  constexpr Row kRows[] = {
      {"", "a comparison is missing", "(at 1)"},
      {"status", "no operator", "(at 7)"},
      {"status=", "a value is missing", "(at 8)"},
      {"status=20x", "a number is needed", "(at 8)"},
      {"status=200,", "an empty value", "(at 8)"},
      {"status=200, 404", "an empty value", "(at 8)"},
      {"status==200", "no operator '=='", "(at 7)"},
      {"h:x=~a", "no operator '=~'", "(at 4)"},
      {"status=200 and", "a comparison is missing", "(at 15)"},
      {"status=200 status=404", "'and' or 'or' is missing", "(at 12)"},
      {"status=200 && has:x", "'and' or 'or' is missing", "(at 12)"},
      {"!has:x", "a field is missing", "(at 1)"},
      {"(status=200", "not closed", "(at 1)"},
      {"status=200)", "closes nothing", "(at 11)"},
      {"()", "a field is missing", "(at 2)"},
      {"h:=1", "a name is missing", "(at 1)"},
      {"h:'x=1", "the quote is not closed", "(at 3)"},
      {"x=1", "no field called", "(at 1)"},
      {":status=200", "no field called", "(at 1)"},
      {"has:", "no field called", "(at 1)"},
      {"body=x", "body takes only", "(at 6)"},
      {"host<x", "has no order", "(at 6)"},
      {"kind=foo", "no kind is called", "(at 6)"},
      {"type=json", "no media type", "(at 6)"},
      {"time<today", "a time is needed", "(at 6)"},
      {"h:x!y=1", "no operator behind", "(at 4)"},
      {"h:a\"b\"=1", "a quote inside a name", "(at 1)"},
      {"has:a/b", "no field called", "(at 1)"},
      {"h:x<a", "a number is needed", "(at 5)"},
      {"h:x~(a", "not an RE2 expression", "(at 5)"},
      {"h:x~[", "not an RE2 expression", "(at 5)"},
      {"size>10X", "a number is needed", "(at 6)"},
      {"size>inf", "a number is needed", "(at 6)"},
  };
  for (const Row& row : kRows) {
    const Error error = refusal(row.text);
    CAPTURE(error.what);
    CHECK(error.what.find(row.says) != std::string::npos);
    CHECK(error.what.ends_with(row.at));
  }
  CHECK(refusal("status").hint.find("shell") != std::string::npos);
  CHECK(refusal("content-type=x").hint.find("h:content-type") != std::string::npos);
  CHECK(refusal(":status=200").hint.find("without the colon") != std::string::npos);
}

TEST_CASE("expression: no text breaks the parser, deep nesting neither") {
  const std::string deep(100'000, '(');
  CHECK(refusal(deep).what.find("too many") != std::string::npos);
  std::string nots;
  for (int i = 0; i < 50'000; ++i) nots += "not ";
  CHECK(response(nots + "status=404"));
  std::string ors = "status=1";
  for (int i = 0; i < 20'000; ++i) ors += " or status=1";
  CHECK(response(ors + " or status=404"));
  const std::string seed = "not (h:'x'=a,\"b\" or size>=1k) and has:y~!<>(|&";
  for (std::size_t i = 0; i < seed.size(); ++i) {
    for (std::size_t k = i; k < seed.size(); ++k) {
      static_cast<void>(Expression::parse(seed.substr(i, k - i), kPolicy));
    }
  }
}

TEST_CASE("expression: a failure names the comparison and the value") {
  const auto failure = [](std::string_view expression) {
    transform::Drive drive(kResponse);
    auto made = Expression::parse(expression, kPolicy);
    REQUIRE(made);
    REQUIRE_FALSE(made->holds(drive.exchange).value());
    return made->failure(drive.exchange);
  };
  CHECK(failure("status=200") == "\"status=200\" is false: it is 404");
  CHECK(failure("status=404 and h:x-a=3") == "\"h:x-a=3\" is false: it is \"1\", \"two\"");
  CHECK(failure("not (status=200 or has:x-a)") == "\"has:x-a\" is true: it is \"1\", \"two\"");
  CHECK(failure("h:none=1 or method=GET") == "\"h:none=1\" is false: it is absent");
  CHECK(failure("size>1k") == "\"size>1k\" is false: it is 5");
  CHECK(failure("body~x") == "\"body~x\" is false: there are 5 bytes");
  CHECK(failure("status!=404") == "\"status!=404\" is false: it is 404");
}

TEST_CASE("expression: in an exchange each field comes from the half that has it") {
  transform::Drive ask(kRequest), answer(kResponse);
  ask.message.start.set_target("/a/b");
  http::Exchange both;
  both.request = &ask.message;
  both.response = &answer.message;
  both.number = 1;
  both.url = "https://h.example/x?y=1";
  const auto holds_for_both = [&](std::string_view expression) {
    INFO(expression);
    auto made = Expression::parse(expression, kPolicy);
    REQUIRE(made);
    return made->holds(both).value();
  };
  CHECK(holds_for_both("status=404 and method=GET and type=text/html and h:x-a=1"));
  CHECK(holds_for_both("url=https://h.example/x?y=1 and host=h.example and query=y=1"));
  CHECK(holds_for_both("has:req:cookie and has:h:cookie and not has:res:cookie"));
  CHECK(holds_for_both("cookie:sid=1 and cookie:sid=a=b and kind=exchange and entry=1"));
}

TEST_CASE("expression: a name that only requests have means the request, -s overrides") {
  transform::Drive ask("GET / HTTP/1.1\nX-Both: q\nOnly: 1\n");
  transform::Drive answer("HTTP/1.1 200 OK\nX-Both: s\n");
  for (const std::string_view name : http::request_fields()) {
    std::string field(name);
    if (field.ends_with('*')) field.back() = 'x';
    REQUIRE(ask.message.headers.append(field, "q"));
    REQUIRE(answer.message.headers.append(field, "s"));
  }
  http::Exchange both;
  both.request = &ask.message;
  both.response = &answer.message;
  both.number = 1;
  const auto values = [&](const std::string& name, http::Selection selection) {
    std::string out;
    for (const std::string value : {"q", "s"}) {
      auto made = Expression::parse("h:" + name + "=" + value, kPolicy, selection);
      REQUIRE(made);
      if (made->holds(both).value()) out += value;
    }
    return out;
  };
  constexpr http::Selection kDefault{};
  for (const std::string_view name : http::request_fields()) {
    const std::string field(name);
    CAPTURE(field);
    CHECK(values(field, kDefault) == "q");
    CHECK(values(field, {http::Side::request, true}) == "q");
    CHECK(values(field, {http::Side::response, true}) == "s");
    CHECK(values(field, {http::Side::both, true}) == "qs");
  }
  CHECK(values("x-both", kDefault) == "s");
  CHECK(values("x-*", kDefault) == "s");
  CHECK(values("req:x-both", kDefault) == "q");
  CHECK(values("x-both", {http::Side::both, true}) == "qs");
}

TEST_CASE("expression: != is not =, !~ is not ~, all: is every instance") {
  for (const std::string_view field :
       {"h:x-a", "h:none", "h:set-cookie", "cookie:sid", "cookie:none", "type", "status", "path",
        "size", "all:h:x-a", "all:h:none", "all:cookie:sid", "all:size", "all:path"}) {
    for (const std::string_view value : {"1", "5", "404", "two", "'*'", "a/b", "text/html"}) {
      const std::string left(field);
      for (const std::string op : {"=", "~"}) {
        const std::string right = std::string(value == "'*'" && op == "~" ? "x" : value);
        if (!Expression::parse(left + op + right, kPolicy)) continue;
        CHECK(response(left + "!" + op + right) == response("not " + left + op + right));
        CHECK(response(left + op + right) != response(left + "!" + op + right));
      }
    }
  }
  CHECK(response("h:x-a=1 and not all:h:x-a=1 and all:h:x-a=1,two"));
  CHECK(response("all:h:x-a!=1 and h:x-a~o and not all:h:x-a~o and all:h:none=x"));
  CHECK(response("all:status=4xx and not all:status=200"));
}

TEST_CASE("expression: = takes globs for every text field, quoted values and a lone star are literal") {
  CHECK(request("path=/a/* and query=q=* and url=http://*:8080/a* and host=*.example.com"));
  CHECK(request("method=G* and kind=req* and version=HTTP/* and scheme=h*"));
  CHECK(response("h:x-a=t*,x and cookie:s?d=a* and h:x-?=1 and has:cookie:*"));
  CHECK_FALSE(request("path='/a/*'"));
  CHECK_FALSE(request("path=*"));
  CHECK_FALSE(response("h:x-a=?"));
  CHECK(response("h:\"x-a\"=1 and not has:\"x-*\" and not has:cookie:'s*'"));
  CHECK(response("type~^text/html$ and type!~HTML and type=TEXT/*"));
}

TEST_CASE("expression: time is an instant") {
  transform::Drive answer(kResponse);
  http::Exchange entry;
  entry.response = &answer.message;
  entry.number = 1;
  entry.time = "2025-01-14T10:12:44.391+01:00";
  const auto at = [&](std::string_view expression) {
    INFO(expression);
    auto made = Expression::parse(expression, kPolicy);
    REQUIRE(made);
    return made->holds(entry).value();
  };
  CHECK(at("time=2025-01-14T09:12:44.391Z and time=2025-01-14T09:12:44.3910000"));
  CHECK(at("time>2025-01-14T09:12:44.39Z and time<2025-01-14T09:12:44.3911Z"));
  CHECK(at("time>=2025-01-14 and time<2025-01-15 and time<2025-01-14T10:12"));
  CHECK(at("time=2025-01-14* and time!=2025-01-14"));
  entry.time = "NaN";
  CHECK_FALSE(at("time<2030-01-01 or time>=1970-01-01"));
}

TEST_CASE("expression: text that is UTF-8 is matched as such, any other as Latin-1") {
  CHECK(holds("h:x~(?i)^\xC3\x84.fel$", "HTTP/1.1 200 OK\nX: \xC3\xA4pfel\n"));
  CHECK(holds("h:x~^.pfel$", "HTTP/1.1 200 OK\nX: \xC3\xA4pfel\n"));
  CHECK(holds("h:x~^.pfel$", "HTTP/1.1 200 OK\nX: \xE4pfel\n"));
  CHECK(holds("h:x~^\xE4", "HTTP/1.1 200 OK\nX: \xE4pfel\n"));
}

TEST_CASE("expression: a failure never shows a secret") {
  for (const std::string_view name : {"Authorization", "cookie", "Set-Cookie", "x-api-key"}) {
    const std::string text = "HTTP/1.1 200 OK\n" + std::string(name) + ": secret=s3cr3t\n";
    transform::Drive drive(text);
    for (const std::string& expression :
         {"not has:h:" + std::string(name), "h:" + std::string(name) + "=1", std::string("not has:h:*")}) {
      auto made = Expression::parse(expression, kPolicy);
      REQUIRE(made);
      REQUIRE_FALSE(made->holds(drive.exchange).value());
      CHECK(made->failure(drive.exchange).find("hidden, 13 bytes") != std::string::npos);
    }
  }
  transform::Drive drive(kResponse);
  auto made = Expression::parse("not has:cookie:sid", kPolicy);
  REQUIRE_FALSE(made->holds(drive.exchange).value());
  CHECK(made->failure(drive.exchange) == "\"has:cookie:sid\" is true: it is hidden, 3 bytes");
}

TEST_CASE("expression: a body that was looked at leaves as it came, chunk lines and all") {
  constexpr std::string_view wire =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      "002;x\r\nhe\r\n3\r\nllo\r\n0\r\nT: 1\r\n\r\n";
  CHECK(run_chain("where 'body ~ hello and size=5 and size~5'", wire).out == wire);
  CHECK(run_chain("where 'body ~ help'", wire).out.empty());
  CHECK(run_chain("where 'body ~ hello'\nwhere 'size<9'\nremove x", wire).out == wire);
}

TEST_CASE("expression: size and body are those that earlier steps left") {
  constexpr std::string_view message =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
  CHECK(run_chain("gzip\nwhere 'size>5 and body ~ ^hello$'\nget :size", message).status == 0);
  CHECK(run_chain("gzip\ninflate\nwhere 'size=5'\nget :body", message).out == "hello\n");
  CHECK(run_chain("body xyz\nwhere 'body~y'", message).out.ends_with("\r\n\r\nxyz"));
  CHECK(run_chain("body hello --if 'body~hello'\ncount", message).out == "1\n");
}

TEST_CASE("expression: a body that breaks off decides nothing") {
  constexpr std::string_view cut = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello";
  const Ran ran = run_chain("where 'body~hello'", cut);
  CHECK(ran.out.empty());
  CHECK(ran.status == 3);
}

}  // namespace
}  // namespace rehead::select
