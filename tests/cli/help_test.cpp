#include "cli/help.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "cli/global_options.h"
#include "cli/topics.h"
#include "cli/verbs.h"

using namespace rehead;
using namespace rehead::cli;

namespace {

std::string on(std::string_view word) {
  auto text = help_on(word);
  CAPTURE(word);
  REQUIRE(text);
  return *text;
}

/// Counts lines; none is wider than a terminal or ends in a blank.
std::size_t lines_of(const std::string& text) {
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    CAPTURE(line);
    CHECK(line.size() <= 80);
    CHECK_FALSE(line.ends_with(' '));
    CHECK(line.find('\t') == std::string::npos);
  }
  CHECK(text.ends_with('\n'));
  return count;
}

}  // namespace

TEST_CASE("help: --help is one screen with every verb, everyday option and topic") {
  const std::string text = help_text();
  CHECK(lines_of(text) <= 48);
  for (const Verb& verb : verbs()) CHECK(text.find(verb.name) != std::string::npos);
  for (const Topic& topic : topics()) CHECK(text.find(topic.name) != std::string::npos);
  for (const GlobalOption& option : global_options()) {
    CAPTURE(option.name);
    const bool there = text.find("--" + std::string(option.name)) != std::string::npos;
    CHECK(there == (option.everyday && option.apply != nullptr));
  }
  CHECK(lines_of(short_help()) <= 8);
}

TEST_CASE("help: help options shows every option that is there") {
  const std::string text = on("options");
  lines_of(text);
  for (const GlobalOption& option : global_options()) {
    CAPTURE(option.name);
    const bool there = text.find("--" + std::string(option.name) + " ") != std::string::npos;
    CHECK(there == (option.apply != nullptr));
  }
}

TEST_CASE("help: every verb and topic has a page") {
  for (const Topic& topic : topics()) CHECK(lines_of(on(topic.name)) > 3);
  for (const Verb& verb : verbs()) {
    const std::string text = on(verb.name);
    CAPTURE(verb.name);
    lines_of(text);
    for (const transform::Option& option : verb.options) {
      CHECK(text.find("--" + std::string(option.name)) != std::string::npos);
    }
    for (const std::string_view example : verb.examples) {
      CHECK(text.find(example) != std::string::npos);
    }
  }
}

TEST_CASE("help: what is unknown gets the nearest word or the list of topics") {
  CHECK(help_on("remvoe").error().hint == "did you mean 'remove'?");
  CHECK(help_on("framnig").error().hint == "did you mean 'framing'?");
  CHECK(help_on("xyzzyx").error().hint.starts_with("topics: options, "));
}

TEST_CASE("help: the version stands alone on the first line") {
  const std::string text = version_text();
  CHECK(std::ranges::count(text, '\n') == 2);
  CHECK(text.ends_with('\n'));
  CHECK(text.starts_with("rehead "));
  CHECK(text.substr(text.find('\n') + 1).starts_with("features: "));
}
