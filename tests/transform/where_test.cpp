#include <catch2/catch.hpp>

#include "support/run_chain.h"

namespace rehead::transform {
namespace {

constexpr std::string_view kThree =
    "HTTP/1.1 301 Moved\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"
    "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

TEST_CASE("where: messages stay whole or go whole") {
  CHECK(run_chain("where status=3xx", kThree).out == kThree.substr(0, 54));
  CHECK(run_chain("where 'status=200 or has:link'", kThree).out == kThree.substr(54));
  CHECK(run_chain("where status=404", kThree).out.empty());
  CHECK(run_chain("where status=404", kThree).status == 0);
}

TEST_CASE("where: reports pass interim responses over unless they are asked for by status") {
  CHECK(run_chain("count", kThree).out == "2\n");
  CHECK(run_chain("where 'has:link or has:location'\ncount", kThree).out == "1\n");
  CHECK(run_chain("where 'status<400'\ncount", kThree).out == "2\n");
  CHECK(run_chain("where status=1xx\nget link", kThree).out == "<a>\n");
  CHECK(run_chain("where 'status=103,200'\ncount", kThree).out == "2\n");
  CHECK(run_chain("where 'status<200'\ncount", kThree).out == "1\n");
}

TEST_CASE("step: --if applies a step only where it holds") {
  CHECK(run_chain("set 'X: 1' --if status=200\nget x", kThree).out == "1\n");
  CHECK(
      run_chain("set 'X: 1' --if 'status=200 and not has:x'\nset 'X: 2' --if has:x\nget x", kThree)
          .out == "2\n");
  CHECK(run_chain("where status=200 --if 'status>=300'\ncount", kThree).out == "1\n");
  CHECK(run_chain("first 1 --if status=200\ncount", kThree).out == "2\n");
}

}  // namespace
}  // namespace rehead::transform
