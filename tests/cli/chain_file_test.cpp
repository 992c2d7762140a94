#include "cli/chain_file.h"

#include <catch2/catch.hpp>
#include <random>

using namespace rehead;
using namespace rehead::cli;

namespace {

std::vector<Line> good(std::string_view text) {
  std::optional<http::Side> side;
  auto lines = read_chain(text, side);
  CAPTURE(text);
  REQUIRE((lines ? "" : lines.error().what) == "");
  return *lines;
}

Error bad(std::string_view text) {
  std::optional<http::Side> side;
  auto lines = read_chain(text, side);
  CAPTURE(text);
  REQUIRE_FALSE(lines);
  CHECK(lines.error().code == Errc::usage);
  return lines.error();
}

}  // namespace

TEST_CASE("chain_file: a line break is then, comments and empty lines do not count") {
  const auto lines = good("# first\n\nremove a  # why\n  remove b then remove c\r\n");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].step.argument == "a");
  CHECK(lines[0].number == 3);
  CHECK(lines[1].step.argument == "b");
  CHECK(lines[2].step.argument == "c");
  CHECK(lines[2].number == 4);
  CHECK(good("").empty());
  CHECK(good("\xEF\xBB\xBFremove a").size() == 1);
}

TEST_CASE("chain_file: quotes and backslashes work as in a shell") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"'a b'", "a b"},       {"\"a b\"", "a b"},     {"a\\ b", "a b"},
      {"'a'\"b\"c", "abc"},   {"'it'\\''s'", "it's"}, {"\"a\\\"b\"", "a\"b"},
      {"\"a\\nb\"", "a\\nb"}, {"'a\\b'", "a\\b"},     {"a\\\nb", "ab"},
      {"a#b", "a#b"},         {"'#'", "#"},           {"\"$HOME\"", "$HOME"},
      {"'a\nb'", "a\nb"},
  };
  for (const auto& [typed, meant] : cases) {
    CAPTURE(typed);
    const auto lines = good("remove " + std::string(typed) + "\nremove z");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].step.argument == meant);
  }
}

TEST_CASE("chain_file: a backslash joins lines, -s may be the first") {
  for (const std::string_view text : {"remove \\\n  a\nsort", "remove\\\n a\nsort", "remove \\\r\n  a\r\nsort"}) {
    const auto lines = good(text);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].step.argument == "a");
    CHECK(lines[1].number == 3);
  }
  for (const std::string_view text : {"-s both\nsort", "--side both\nsort", "-sboth\nsort", "# x\n--side=both\nsort"}) {
    std::optional<http::Side> side;
    REQUIRE(read_chain(text, side));
    CHECK(side == http::Side::both);
  }
  CHECK(bad("sort\n-s both").line == 2);
  CHECK(bad("-s neither\nsort").line == 1);
  CHECK(bad("-s both sort").line == 1);
}

TEST_CASE("chain_file: errors carry their line") {
  CHECK(bad("remove a\nremvoe b").line == 2);
  CHECK(bad("remove a\nremvoe b").what == "no verb called 'remvoe'");
  CHECK(bad("remove a\n\n'x").line == 3);
  CHECK(bad("remove 'a\nb").what == "the quote ' is not closed");
  CHECK(bad("remove 'a\nb' c\n").what == "a word too many: 'c'");
  CHECK(bad("remove 'a\nb'\nremove").line == 3);
  CHECK(bad("help").what == "no verb called 'help'");
  CHECK(bad("a.http").what == "no verb called 'a.http'");
  CHECK(bad("remove a -q").what == "no option '-q'");
}

TEST_CASE("chain_file: what --plan prints is read back as the same chain, whatever it holds") {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  const auto word = [&] {
    static constexpr std::string_view kPieces[] = {"a",  " ",    "'",  "\"",      "\\", "#",
                                                   "\n", "$",    "\t", "--",      "x*", "=",
                                                   ",",  "then", "\r", "\xC3\xA9"};
    std::string out;
    for (std::size_t n = below(6); n > 0; --n) out += kPieces[below(std::size(kPieces))];
    return out;
  };
  for (int round = 0; round < 2000; ++round) {
    std::vector<Step> steps(below(5));
    for (Step& step : steps) {
      step.verb = &verbs()[below(verbs().size())];
      if (!step.verb->argument.empty()) {
        step.argument = word();
        if (step.argument.starts_with('-')) step.argument.insert(0, "x");
      }
      for (const transform::Option& option : step.verb->options) {
        if (below(2) == 0) continue;
        step.options[std::string(option.name)] = option.value.empty() ? "" : word();
      }
    }
    constexpr std::optional<http::Side> kSides[] = {
        std::nullopt, http::Side::request, http::Side::response, http::Side::both};
    const auto side = kSides[below(4)];
    const std::string text = chain_text(steps, side);
    const auto lines = good(text);
    std::optional<http::Side> read_back;
    REQUIRE(read_chain(text, read_back));
    CHECK(read_back == side);
    REQUIRE(lines.size() == steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      CHECK(lines[i].step.verb == steps[i].verb);
      CHECK(lines[i].step.argument == steps[i].argument);
      CHECK(lines[i].step.options == steps[i].options);
    }
  }
}
