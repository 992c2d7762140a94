#include <catch2/catch.hpp>

#include "support/run_chain.h"
#include "transform/harness.h"

namespace rehead::transform {
namespace {

std::string letters(std::string_view bodies) {
  std::string messages;
  for (const char c : bodies) {
    messages += "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + std::string(1, c);
  }
  return messages;
}

std::string chosen(const std::string& list) {
  return run_chain("nth '" + list + "'", letters("abcdefg"), {.to = "body"}).out;
}

TEST_CASE("nth: numbers and ranges in any order, the order of the input is kept") {
  CHECK(chosen("1") == "a");
  CHECK(chosen("7,3") == "cg");
  CHECK(chosen("2-4,3-5,1") == "abcde");
  CHECK(chosen("6-99,2,2") == "bfg");
  CHECK(chosen("8").empty());
}

TEST_CASE("nth: counts what arrives") {
  CHECK(run_chain("where 'body!~[ab]'\nnth 2", letters("abcdefg"), {.to = "body"}).out == "d");
}

TEST_CASE("nth: the first column of each line of a file") {
  const TemporaryFile file("5\t12.5\n\n 2 x\r\n5\n");
  CHECK(chosen("@" + file.path()) == "be");
  const TemporaryFile empty("");
  CHECK(chosen("@" + empty.path()).empty());
  const TemporaryFile titled("entry\t1\n");
  CHECK(refusal("nth", "@" + titled.path()).what.find("line 1") != std::string::npos);
  CHECK(refusal("nth", "@/nowhere/at/all").code == Errc::io);
}

TEST_CASE("nth: reads nothing behind the last number") {
  CHECK(run_chain("nth 1", letters("a") + "no head").err.empty());
}

TEST_CASE("nth: takes numbers from 1") {
  for (const std::string text : {"", "0", "1,", "3-1", "a", "1-", "-2", "1-2-3"}) {
    CHECK(refuses("nth", text));
  }
}

}  // namespace
}  // namespace rehead::transform
