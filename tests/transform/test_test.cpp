#include <catch2/catch.hpp>

#include "support/run_chain.h"

namespace rehead::transform {
namespace {

constexpr std::string_view kTwo =
    "HTTP/1.1 100 Continue\r\n\r\n"
    "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n"
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

TEST_CASE("test: must hold for every message, interim ones aside") {
  CHECK(run_chain("test 'status<400 and status>=200'", kTwo).status == 0);
  const Ran ran = run_chain("test status=200", kTwo);
  CHECK(ran.status == 1);
  CHECK(ran.err == "rehead: f: message 2: note: \"status=200\" is false: it is 301\n");
  CHECK(ran.out == kTwo);
  CHECK(run_chain("test 'status=1xx or status>199'", kTwo).status == 0);
}

TEST_CASE("test: --any wants one message") {
  CHECK(run_chain("test --any status=200", kTwo).status == 0);
  const Ran ran = run_chain("test --any status=404", kTwo);
  CHECK(ran.status == 1);
  CHECK(ran.err == "rehead: f: note: \"status=404\" holds for no message\n");
}

TEST_CASE("test: over no message it is false") {
  const Ran ran = run_chain("where status=404\ntest status=404", kTwo);
  CHECK(ran.status == 1);
  CHECK(ran.err == "rehead: f: note: there is no message to test\n");
}

TEST_CASE("test: in the middle the chain goes on, the answer stays") {
  const Ran ran = run_chain("test status=200\nwhere status=200\nget content-length", kTwo);
  CHECK(ran.status == 1);
  CHECK(ran.out == "2\n");
}

TEST_CASE("test: five notes at most, then how many more") {
  std::string many;
  for (int i = 0; i < 9; ++i) many += kTwo.substr(25, 41);
  const Ran ran = run_chain("test status=200", many);
  CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 6);
  CHECK(ran.err.ends_with("4 more of kind test-false\n"));
}

}  // namespace
}  // namespace rehead::transform
