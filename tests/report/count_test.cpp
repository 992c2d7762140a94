#include <catch2/catch.hpp>

#include "support/run_chain.h"

namespace rehead::report {
namespace {

constexpr std::string_view kTwo =
    "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

TEST_CASE("count: messages that came this far") {
  CHECK(run_chain("count", kTwo).out == "2\n");
  CHECK(run_chain("where status=200\ncount", kTwo).out == "1\n");
  CHECK(run_chain("where status=404\ncount", kTwo).out == "0\n");
  CHECK(run_chain("where status=404\ncount", kTwo).status == 0);
}

TEST_CASE("count: of several inputs each is named") {
  CHECK(run_chain("count", kTwo, {.several = true}).out == "f:2\n");
}

}  // namespace
}  // namespace rehead::report
