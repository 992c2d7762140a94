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

TEST_CASE("global_options: a place in the name of the output must be known") {
  CHECK(bad({"-o", "{name}.har"}) == "--output: no place called \"name\"");
}

TEST_CASE("global_options: files are rewritten, judged, several at a time") {
  CHECK(good({"-I", "--backup", ".bak"}).job.backup == ".bak");
  CHECK(bad({"-I", "--backup", "a/b"}).find("--backup") == 0);
  CHECK(good({"-n", "--diff"}).job.each_file());
  CHECK(good({"-j", "0"}).job.jobs == 0);
  CHECK(bad({"-j", "-1"}).find("--jobs") == 0);
  CHECK(good({"--color", "always"}).job.colour == When::always);
  CHECK(good({"--progress", "never"}).job.progress == When::never);
  CHECK(bad({"--progress", "often"}).find("--progress") == 0);
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
