// No step grows faster than the number of fields, whatever they are.
#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <functional>

#include "transform/harness.h"

namespace rehead::transform {
namespace {

using Line = std::function<std::string(std::size_t)>;

/// CPU seconds of one step over a message of `count` such lines: the better of two.
double seconds(std::string_view step, const std::string& argument, const Line& line,
               std::size_t count) {
  std::string text = "HTTP/1.1 200 OK\n";
  for (std::size_t i = 0; i < count; ++i) text += line(i) + "\n";
  double best = 1e9;
  for (int round = 0; round < 2; ++round) {
    Drive drive(text);
    const std::clock_t start = std::clock();
    REQUIRE(drive.run(step, argument));
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

TEST_CASE("transform: eight times the fields take about eight times the time") {
  const auto same = [](std::string text) { return [text](std::size_t) { return text; }; };
  const auto numbered = [](std::string before, std::string after) {
    return [=](std::size_t i) { return before + std::to_string(i) + after; };
  };
  struct Case {
    std::string_view step;
    std::string argument;
    Line line;
  };
  const Case cases[] = {
      {"remove", "x", same("X: 1")},
      {"remove", "x*", numbered("X", ": 1")},
      {"keep", "y", same("X: 1")},
      {"rename", "x=y", same("X: 1")},
      {"set", "X: 2", same("X: 1")},
      {"add", "X: 2", same("X: 1")},
      {"sub", "x:/1/2/", same("X: 1")},
      {"sort", "", [](std::size_t i) { return "X" + std::to_string(i * 7919 % 100'003) + ": 1"; }},
      {"lower", "", numbered("X", ": 1")},
      {"join", "*", same("X: 1")},
      {"join", "*", [](std::size_t i) { return "X" + std::to_string(i / 2) + ": 1"; }},
      {"strip-hop", "", numbered("Connection: x", "")},
      {"merge-cookies", "", same("Set-Cookie: a=1; Path=/")},
      {"merge-cookies", "", numbered("Set-Cookie: a", "=1, b=2; Path=/")},
      {"merge-cookies", "", same("Cookie: a=1")},
      {"split-cookies", "", same("Set-Cookie: a=1, b=2")},
      {"remove-cookie", "a", same("Set-Cookie: a=1, b=2, c=3")},
      {"remove-cookie", "a", same("Cookie: a=1; b=2")},
      {"set-cookie", "a=2", same("Set-Cookie: a=1")},
      {"set-cookie", "*; Secure", numbered("Set-Cookie: a", "=1")},
  };
  for (const Case& one : cases) {
    const double small = seconds(one.step, one.argument, one.line, 2'000);
    const double large = seconds(one.step, one.argument, one.line, 16'000);
    CAPTURE(one.step, one.argument, one.line(0), small, large);
    // A quadratic step takes 64 times as long.
    CHECK(large < 24 * std::max(small, 0.001));
  }
}

TEST_CASE("transform: eight times the cookies in one field take about eight times the time") {
  const auto list = [](std::size_t count, std::string_view field, std::string_view between) {
    std::string text(field);
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) text += between;
      text += "a" + std::to_string(i % 1'000) + "=1";
    }
    return text;
  };
  struct Form {
    std::string_view field, between;
  };
  for (const std::string_view step : {"split-cookies", "merge-cookies", "remove-cookie"}) {
    for (const Form form :
         {Form{"Set-Cookie: ", ", "}, Form{"Set-Cookie: ", ",,,"}, Form{"Cookie: ", "; "}}) {
      const std::string argument = step == "remove-cookie" ? "a1*" : "";
      const auto time = [&](std::size_t count) {
        const auto line = [&](std::size_t) { return list(count, form.field, form.between); };
        return seconds(step, argument, line, 1);
      };
      const double small = time(5'000), large = time(40'000);
      CAPTURE(step, form.field, form.between, small, large);
      CHECK(large < 24 * std::max(small, 0.001));
    }
  }
}

}  // namespace
}  // namespace rehead::transform
