#include "cli/options.h"

#include <catch2/catch.hpp>

using namespace rehead;
using namespace rehead::cli;

namespace {

constexpr Options::Row kRows[] = {
    {"output", 'o', true}, {"quiet", 'q', false}, {"null", '0', false}, {"level", '\0', true}};
using Match = Options::Match;

}  // namespace

TEST_CASE("options: match tells what a word still needs") {
  const Options options(kRows);
  CHECK(options.match("--output") == Match::wants_value);
  CHECK(options.match("--output=") == Match::complete);
  CHECK(options.match("--output=x=y") == Match::complete);
  CHECK(options.match("-o") == Match::wants_value);
  CHECK(options.match("-ofile") == Match::complete);
  CHECK(options.match("-q0o") == Match::wants_value);
  CHECK(options.match("-q0") == Match::complete);
  CHECK(options.match("--quiet") == Match::complete);
  CHECK(options.match("--quiet=1") == Match::no_value);
  CHECK(options.match("--out") == Match::unknown);
  CHECK(options.match("-qx") == Match::unknown);
  CHECK(options.match("--help") == Match::unknown);
  CHECK(options.match("--") == Match::unknown);
}

TEST_CASE("options: values arrive as typed") {
  const Options options(kRows);
  for (const std::string value : {"a", "", "-", "--", "-q", "--quiet", "[a,b]", "{}", "a b", "%%",
                                  "\"x\"", "'x'", "a=b", "=", "--=", "--level=", "\n", "true"}) {
    CAPTURE(value);
    CHECK(options.parse({"-o", value})->at("output") == value);
    CHECK(options.parse({"--output", value})->at("output") == value);
    CHECK(options.parse({"--output=" + value})->at("output") == value);
    CHECK(options.parse({"--level=" + value, "-q"})->contains("quiet"));
  }
}

TEST_CASE("options: of a repeated option the last one counts, and nothing is kept between calls") {
  const Options options(kRows);
  CHECK(options.parse({"-o", "a", "-qq", "-o", "b"})->at("output") == "b");
  CHECK(options.parse({"-q", "-q"})->size() == 1);
  CHECK(options.parse({})->empty());
}
