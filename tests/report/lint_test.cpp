#include <catch2/catch.hpp>

#include "support/run_chain.h"

namespace rehead::report {
namespace {

/// The codes, one after the other.
std::string codes(std::string_view input) {
  const Ran ran = run_chain("lint", input);
  std::string all;
  std::string_view rest = ran.out;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    line.remove_prefix(line.find(": ", line.find("message")) + 2);
    all += (all.empty() ? "" : " ") + std::string(line.substr(0, line.find(':')));
  }
  // Bytes behind a body are an error of the input, too.
  if (ran.status != 3) CHECK(ran.status == (ran.out.empty() ? 0 : 1));
  return all;
}

std::string ok(std::string_view fields) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + std::string(fields) +
         "Content-Length: 2\r\n\r\nhi";
}

TEST_CASE("lint: nothing is said of a clean message") {
  CHECK(codes(ok("")).empty());
  CHECK(codes("HTTP/1.1 204 No Content\r\n\r\n").empty());
  CHECK(codes("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\n").empty());
  CHECK(codes("GET / HTTP/1.1\r\nHost: h\r\n\r\n").empty());
  CHECK(codes("GET / HTTP/1.0\r\n\r\n").empty());
  CHECK(codes(ok("X: a\tb\r\n")).empty());
  CHECK(codes(ok("Set-Cookie: a=b; Secure; HttpOnly; SameSite=Lax\r\n")).empty());
  CHECK(codes(ok("Set-Cookie: __Host-a=b; Path=/; Secure; HttpOnly; SameSite=None\r\n")).empty());
}

TEST_CASE("lint: each fault has its code") {
  CHECK(codes(ok("Status: 200\r\n")) == "status-field");
  CHECK(codes(ok("X: a\x01z\r\n")) == "field-value");
  CHECK(codes(ok("ETag: \"a\"\r\nETag: \"b\"\r\n")) == "field-twice");
  CHECK(codes("GET / HTTP/1.1\r\n\r\n") == "host-missing");
  CHECK(codes("HTTP/1.1 204 No Content\r\nContent-Type: a/b\r\n\r\n") == "no-content");
  CHECK(codes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi") == "type-missing");
  CHECK(codes("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\nhi") ==
        "transfer-coding-false");
  CHECK(codes("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Encoding: gzip\r\n"
              "Vary: accept-encoding\r\nContent-Length: 2\r\n\r\nhi") == "content-coding-false");
  CHECK(codes("HTTP/1.1 304 Not Modified\r\nContent-Encoding: br\r\n\r\n") == "vary-missing");
  CHECK(codes(ok("Set-Cookie: a=b; Secure; HttpOnly; SameSite=Lax, c=d; Secure; HttpOnly; "
                 "SameSite=Lax\r\n")) == "set-cookie-joined");
  CHECK(codes(ok("Set-Cookie: \r\n")) == "set-cookie-blank");
  CHECK(codes(ok("Set-Cookie: a=b\r\n")) == "cookie-weak");
  CHECK(codes(ok("Set-Cookie: a=b; HttpOnly; SameSite=None\r\n")) == "cookie-weak cookie-refused");
  CHECK(codes(ok("Set-Cookie: __Host-a=b; Secure; HttpOnly; SameSite=Lax\r\n")) ==
        "cookie-refused");
}

TEST_CASE("lint: every framing lie, once") {
  CHECK(codes("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 2\r\n\r\nhi there") ==
        "length-false");
  CHECK(codes("HTTP/1.1 205 Reset Content\r\nContent-Length: 2\r\n\r\nhi") == "no-content");
  CHECK(codes("HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\nhi") == "no-content");
  CHECK(codes("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nTransfer-Encoding: gzip\r\n\r\nplain") ==
        "transfer-coding-false");
  CHECK(codes("HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 12\r\n"
              "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n") == "length-and-coding");
  CHECK(codes("HTTP/1.1 200 OK\r\nX : 1\r\nContent-Length: 0\r\n\r\n") == "field-blank");
  for (const std::string_view empty :
       {"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/2 200 \r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"}) {
    CHECK(codes(empty).empty());
  }
}

TEST_CASE("lint: messages are judged as the chain left them") {
  constexpr std::string_view kDecoded =
      "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\nhello";
  constexpr std::string_view kFalse =
      "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nVary: Accept-Encoding\r\n"
      "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nhello world, longer";
  for (const std::string steps : {"dechunk", "body x", "content-length"}) {
    CHECK(run_chain(steps + "\nlint", kDecoded).out.empty());
  }
  for (const std::string steps : {"body x", "inflate\ncontent-length"}) {
    CHECK(run_chain(steps + "\nlint", kFalse).out.empty());
  }
  CHECK(run_chain("remove content-type\nlint", kDecoded).out.find("type-missing") !=
        std::string::npos);
}

TEST_CASE("lint: cookies as browsers judge them") {
  for (const std::string refused :
       {"__host-s=1; Secure; HttpOnly; SameSite=Lax", "__SECURE-t=1; HttpOnly; SameSite=Lax",
        "=__Secure-u=1; Secure; HttpOnly; SameSite=Lax; Path=/", "__Host-v; Secure; HttpOnly; SameSite=Lax",
        "p=1; Partitioned; HttpOnly; SameSite=Lax; Path=/"}) {
    CHECK(codes(ok("Set-Cookie: " + refused + "\r\n")).find("cookie-refused") != std::string::npos);
  }
  for (const std::string fine :
       {"a=; Max-Age=0", "b=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "c=x; max-age=-1; Path=/",
        "d=x; Expires=Thu, 01-Jan-70 00:00:00 GMT", "f=1; Secure; HttpOnly; SameSite=None; Partitioned"}) {
    CHECK(codes(ok("Set-Cookie: " + fine + "\r\n")).empty());
  }
  // The Date of the message says what is past.
  const std::string expires = "Set-Cookie: a=x; Expires=Tue, 14 Jan 2025 09:00:00 GMT\r\n";
  CHECK(codes(ok("Date: Tue, 14 Jan 2025 09:12:44 GMT\r\n" + expires)).empty());
  CHECK(codes(ok("Date: Tue, 14 Jan 2025 08:12:44 GMT\r\n" + expires)) == "cookie-weak");
  CHECK(codes(ok("Set-Cookie: g=1; Secure; HttpOnly; SameSite=Lax; Expires=Tue\r\n"
                 "Set-Cookie: 25-Aug-2026 08:13:41 GMT; Path=/\r\n")) == "set-cookie-cut");
}

TEST_CASE("lint: codes are chosen by --only and --ignore, and help lists them") {
  const std::string input = ok("Set-Cookie: a=1\r\nStatus: 200\r\n");
  CHECK(run_chain("lint --only cookie-weak", input).out.find("status-field") == std::string::npos);
  CHECK(run_chain("lint --ignore cookie-weak", input).out.find("cookie-weak") == std::string::npos);
  CHECK(run_chain("lint --ignore cookie-weak,status-field", input).status == 0);
}

TEST_CASE("lint: a HAR entry is looked at half by half") {
  const std::string har =
      R"({"log":{"entries":[{"request":{"method":"GET","url":"http://h/","httpVersion":"HTTP/1.1",)"
      R"("headers":[{"name":":path","value":"/"},{"name":"a b","value":"x"}]},)"
      R"("response":{"status":200,"headers":[{"name":"X","value":"a\u0000b"}]}}]}})";
  CHECK(run_chain("lint", har).out ==
        "f: entry 1, request: field-name: \"a b\" is no token\n"
        "f: entry 1, request: host-missing: an HTTP/1.1 request without Host\n"
        "f: entry 1, response: field-value: control bytes in the value of X\n");
}

}  // namespace
}  // namespace rehead::report
