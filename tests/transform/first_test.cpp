#include <catch2/catch.hpp>

#include "support/run_chain.h"
#include "transform/harness.h"

namespace rehead::transform {
namespace {

constexpr std::string_view kThree =
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb"
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nc";

TEST_CASE("first: so many messages, fewer if there are no more") {
  CHECK(run_chain("first 1", kThree, {.to = "body"}).out == "a");
  CHECK(run_chain("first 2", kThree, {.to = "body"}).out == "ab");
  CHECK(run_chain("first 9", kThree, {.to = "body"}).out == "abc");
  CHECK(run_chain("where 'body!~a'\nfirst 1", kThree, {.to = "body"}).out == "b");
}

TEST_CASE("first: what stands behind the last wanted one is not even looked at") {
  const std::string broken = std::string(kThree) + "no head at all";
  CHECK(run_chain("first 3", broken).err.empty());
  CHECK(run_chain("first 3", broken).out == kThree);
}

TEST_CASE("first: takes a number from 1") {
  for (const std::string text : {"", "0", "-1", "x", "1x", "99999999999999999999"}) {
    CHECK(refuses("first", text));
  }
}

}  // namespace
}  // namespace rehead::transform
