#include "pipeline/comparison.h"

#include <catch2/catch.hpp>

using namespace rehead;

namespace {

/// Writes `pieces` over `old`; gives the equal bytes and what came behind them, or "same".
std::string compare(std::string_view old, const std::vector<std::string_view>& pieces) {
  MemorySink rest;
  std::string before = "same";
  Comparison comparison([&](std::uint64_t equal) -> Result<ByteSink*> {
    CHECK(before == "same");
    before = std::to_string(equal) + ":";
    return &rest;
  });
  comparison.against(std::make_unique<MemoryReader>(old, 3));
  for (const std::string_view piece : pieces) CHECK(comparison.write(piece));
  const auto differs = comparison.finish();
  REQUIRE(differs);
  CHECK(*differs == (before != "same"));
  return before + rest.text();
}

}  // namespace

TEST_CASE("comparison: equal bytes, however they are cut, are no difference") {
  CHECK(compare("", {}) == "same");
  CHECK(compare("hello world", {"hello world"}) == "same");
  CHECK(compare("hello world", {"", "hel", "lo w", "o", "", "rld"}) == "same");
}

TEST_CASE("comparison: from the first difference on, all bytes go on") {
  CHECK(compare("hello world", {"hello there", "!"}) == "6:there!");
  CHECK(compare("hello", {"hello", "!"}) == "5:!");
  CHECK(compare("hello", {"help"}) == "3:p");
  CHECK(compare("", {"a", "b"}) == "0:ab");
}

TEST_CASE("comparison: an end that comes too early is a difference") {
  CHECK(compare("hello", {"hel"}) == "3:");
  CHECK(compare("hello", {}) == "0:");
}

TEST_CASE("comparison: a sink that cannot be had is an error that stays") {
  Comparison comparison([](std::uint64_t) -> Result<ByteSink*> {
    return fail({Errc::io, "open-output", "cannot write"});
  });
  comparison.against(std::make_unique<MemoryReader>("a"));
  CHECK_FALSE(comparison.write("b"));
  CHECK_FALSE(comparison.write({}));
  CHECK_FALSE(comparison.flush());
  CHECK_FALSE(comparison.finish());
}

TEST_CASE("comparison: lines are counted if they are wanted") {
  Comparison comparison([](std::uint64_t) { return Result<ByteSink*>(nullptr); });
  comparison.against(std::make_unique<MemoryReader>("a\nb\n"));
  comparison.count_lines();
  CHECK(comparison.write("a\nc\n\n"));
  CHECK(comparison.lines() == 3);
}
