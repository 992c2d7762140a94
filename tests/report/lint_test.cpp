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
  CHECK(ran.status == (ran.out.empty() ? 0 : 1));
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
