#include <catch2/catch.hpp>

#include "support/run_chain.h"

namespace rehead::report {
namespace {

constexpr std::string_view kThree =
    "GET / HTTP/1.1\r\nHost: h\r\nX-A: 1\r\n\r\n"
    "HTTP/1.1 200 OK\r\nX-a: 1\r\nx-A: 2\r\nContent-Length: 0\r\n\r\n"
    "HTTP/1.1 200 OK\r\nx-a: 1\r\nContent-Length: 0\r\n\r\n";

TEST_CASE("names: every name once, with messages and lines, requests apart") {
  CHECK(run_chain("names", kThree).out ==
        "Content-Length\t2\t2\nreq:Host\t1\t1\nreq:X-A\t1\t1\nX-a\t2\t3\n");
  CHECK(run_chain("names", kThree, {.side = http::Side::request}).out ==
        "req:Host\t1\t1\nreq:X-A\t1\t1\n");
  CHECK(run_chain("names", "").out.empty());
}

TEST_CASE("names: NUL ends a line with -0") {
  CHECK(run_chain("keep host\nnames", kThree, {.null = true}).out ==
        std::string("req:Host\t1\t1\0", 13));
}

}  // namespace
}  // namespace rehead::report
