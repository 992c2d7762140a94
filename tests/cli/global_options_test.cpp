#include "cli/global_options.h"

#include <catch2/catch.hpp>

using namespace rehead;
using namespace rehead::cli;

namespace {

using Strings = std::vector<std::string>;

Settings good(const Strings& words) {
  Settings settings;
  auto done = apply_options(words, settings);
  CAPTURE(words);
  REQUIRE((done ? "" : done.error().what) == "");
  return settings;
}

std::string bad(const Strings& words) {
  Settings settings;
  auto done = apply_options(words, settings);
  CAPTURE(words);
  REQUIRE_FALSE(done);
  CHECK(done.error().code == Errc::usage);
  return done.error().what;
}

}  // namespace

TEST_CASE("global_options: sizes know k, M and G") {
  CHECK(good({"--max-head", "123"}).job.policy.limits.max_head == 123);
  CHECK(good({"--max-body=2k"}).job.policy.limits.max_body == 2048);
  CHECK(good({"--hold", "1M"}).job.policy.limits.hold == 1048576);
  CHECK(good({"--max-entry", "3g"}).job.policy.limits.max_entry == 3221225472);
  CHECK(good({"--hold=0"}).job.policy.limits.hold == 0);
  for (const std::string value :
       {"", "k", "-1", "1.5M", "1kB", "1 k", "0x10", "99999999999999999999", "9999999999999G"}) {
    CAPTURE(value);
    CHECK(bad({"--hold", value}).starts_with("--hold takes a size such as"));
  }
  CHECK(good({"--max-fields", "7"}).job.policy.limits.max_fields == 7);
  CHECK(bad({"--max-fields", "0"}) == "--max-fields takes a number, not '0'");
}

TEST_CASE("global_options: words of a choice are checked against the list") {
  CHECK(good({"--framing", "eof"}).job.policy.framing == http::FramingMode::eof);
  CHECK(good({"--split", "never"}).job.policy.split == http::SplitMode::never);
  CHECK(good({"--eol", "keep"}).eol == http::EolMode::keep);
  CHECK(good({"--eol", "auto"}).job.policy.eol == http::EolMode::crlf);
  CHECK(good({"-s", "both"}).job.side == http::Side::both);
  CHECK_FALSE(good({}).job.side);
  CHECK(bad({"--framing", "foo"}) == "--framing takes one of auto, wire, curl, eof, not 'foo'");
  CHECK(bad({"-s", "Both"}) == "--side takes one of response, request, both, not 'Both'");
  CHECK(bad({"--errors", "xml"}) == "--errors takes one of text, json, not 'xml'");
}

TEST_CASE("global_options: formats are those of the table") {
  CHECK(bad({"-t", "xml"}).starts_with("--to takes one of auto"));
  CHECK(bad({"-f", "headers"}).find("--from") == 0);
  CHECK(good({"-t", "auto"}).job.to == "auto");
}

TEST_CASE("global_options: what is not built yet is a usage error") {
  int there = 0;
  for (const GlobalOption& option : global_options()) {
    if (option.apply != nullptr) {
      ++there;
      continue;
    }
    Strings words = {"--" + std::string(option.name)};
    if (!option.value.empty()) words.emplace_back("1");
    CHECK(bad(words) == words[0] + " is not there yet");
  }
  CHECK(there > 20);
  CHECK(bad({"-o", "{name}.har"}) == "--output: no place called \"name\"");
}

TEST_CASE("global_options: opposites exclude each other") {
  CHECK(bad({"--strict", "--lenient"}) == "--strict and --lenient exclude each other");
  CHECK(good({"--lenient"}).job.policy.lenient());
}

TEST_CASE("global_options: help and the form of diagnostics are known even if the rest is wrong") {
  Settings settings;
  CHECK_FALSE(apply_options({"--jobs", "x", "-h", "--errors", "json"}, settings));
  CHECK(settings.help);
  CHECK(settings.style.json);
}
