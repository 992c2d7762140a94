#include "http/pseudo_field.h"

#include <catch2/catch.hpp>

#include "transform/harness.h"

namespace rehead::http {
namespace {

std::string text(PseudoField field, const Exchange& exchange) {
  return std::string(text_of(field, exchange, subject_of(exchange)).value_or("(absent)"));
}

TEST_CASE("pseudo field: each name is found, and no other") {
  for (const std::string_view name : pseudo_fields()) {
    const auto found = find_pseudo_field(name);
    REQUIRE(found);
    CHECK(name_of(*found) == name);
  }
  CHECK(name_of(PseudoField::body) == "body");
  CHECK_FALSE(find_pseudo_field("Status"));
  CHECK_FALSE(find_pseudo_field(""));
}

TEST_CASE("pseudo field: a request on its own gives its URL as far as it is known") {
  struct Row {
    std::string_view method, target, host, url, expected_host, path;
  };
  constexpr Row kRows[] = {
      {"GET", "/a?b", "h:81", "http://h:81/a?b", "h", "/a"},
      {"GET", "http://t:1/a", "h", "http://t:1/a", "t", "/a"},
      {"GET", "/a", "", "/a", "(absent)", "/a"},
      {"OPTIONS", "*", "h", "http://h", "h", "*"},
      {"CONNECT", "h:443", "h", "h:443", "h", "(absent)"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.target);
    transform::Drive drive("GET / HTTP/1.1\nHost: " + std::string(row.host) + "\n");
    drive.message.start.set_method(row.method);
    drive.message.start.set_target(row.target);
    CHECK(text(PseudoField::url, drive.exchange) == row.url);
    CHECK(text(PseudoField::host, drive.exchange) == row.expected_host);
    CHECK(text(PseudoField::path, drive.exchange) == row.path);
  }
}

TEST_CASE("pseudo field: what a message does not have is absent") {
  transform::Drive drive("HTTP/1.1 200\n");
  drive.message.notes.number = 3;
  CHECK(text(PseudoField::status, drive.exchange) == "200");
  CHECK(text(PseudoField::reason, drive.exchange) == "(absent)");
  CHECK(text(PseudoField::message, drive.exchange) == "3");
  CHECK(text(PseudoField::kind, drive.exchange) == "response");
  for (const auto field : {PseudoField::method, PseudoField::url, PseudoField::entry,
                           PseudoField::time, PseudoField::ms, PseudoField::type}) {
    CHECK(text(field, drive.exchange) == "(absent)");
  }
}

}  // namespace
}  // namespace rehead::http
