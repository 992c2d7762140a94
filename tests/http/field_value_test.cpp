#include "http/field_value.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace rehead::http {
namespace {

std::vector<std::string> items(std::string_view list) {
  std::vector<std::string> found;
  for_each_item(list, [&](std::string_view item) { found.emplace_back(item); });
  return found;
}

using List = std::vector<std::string>;

TEST_CASE("field_value: a comma list gives its items, trimmed, empty ones left out") {
  CHECK(items("") == List{});
  CHECK(items(" , ,\t") == List{});
  CHECK(items("gzip") == List{"gzip"});
  CHECK(items(" a ,b\t,, c") == List{"a", "b", "c"});
  CHECK(items("a,") == List{"a"});
}

TEST_CASE("field_value: commas in quoted strings do not split") {
  CHECK(items(R"(a;x="1,2", b)") == List{R"(a;x="1,2")", "b"});
  CHECK(items(R"("a\",b", c)") == List{R"("a\",b")", "c"});
  CHECK(items(R"("open, b)") == List{R"("open, b)"});
  CHECK(items("\"\\") == List{"\"\\"});
}

TEST_CASE("field_value: a media type is what stands before the parameters") {
  CHECK(media_type("text/html; charset=utf-8") == "text/html");
  CHECK(media_type(" text/HTML ;x") == "text/HTML");
  CHECK(media_type("").empty());
}

TEST_CASE("field_value: a token is found in any case, whatever its parameters") {
  CHECK(contains_token("no-cache, No-Transform", "no-transform"));
  CHECK(contains_token("gzip;q=0.5, br", "gzip"));
  CHECK_FALSE(contains_token("x-gzip", "gzip"));
  CHECK_FALSE(contains_token("a=\"no-transform, x\"", "no-transform"));
}

TEST_CASE("field_value: a weight has at most three decimals; what is none weighs nothing") {
  CHECK(quality("gzip") == 1000);
  CHECK(quality("gzip;q=0") == 0);
  CHECK(quality("gzip ; Q=0.5") == 500);
  CHECK(quality("gzip;level=9;q=0.125") == 125);
  CHECK(quality("gzip;q=1.000") == 1000);
  for (const char* bad : {"gzip;q=", "gzip;q=1.001", "gzip;q=2", "gzip;q=-1", "gzip;q=0.1234",
                          "gzip;q=.5", "gzip;q=0.x"}) {
    CHECK(quality(bad) == 0);
  }
}

TEST_CASE("field_value: an item is added to a list once, all lines becoming one") {
  Arena arena;
  HeaderMap headers(arena);
  headers.clear();
  REQUIRE(add_to_list(headers, arena, "Vary", "Accept-Encoding"));
  CHECK(headers.find("vary")->value() == "Accept-Encoding");
  REQUIRE(add_to_list(headers, arena, "Vary", "accept-encoding"));
  CHECK(headers.size() == 1);
  CHECK(headers.find("vary")->value() == "Accept-Encoding");

  headers.clear();
  REQUIRE(headers.append("vary", "Cookie"));
  REQUIRE(headers.append("VARY", "Origin"));
  REQUIRE(add_to_list(headers, arena, "Vary", "Accept-Encoding"));
  CHECK(headers.size() == 1);
  CHECK(headers.find("vary")->name() == "vary");
  CHECK(headers.find("vary")->value() == "Cookie, Origin, Accept-Encoding");

  headers.clear();
  REQUIRE(headers.append("Vary", "*"));
  REQUIRE(add_to_list(headers, arena, "Vary", "Accept-Encoding"));
  CHECK(headers.find("vary")->value() == "*");
}

TEST_CASE("field_value: a request accepts a coding as far as it says") {
  Arena arena;
  HeaderMap request(arena);
  const auto weights = [&](const char* value) {
    request.clear();
    if (value != nullptr) CHECK(request.append("Accept-Encoding", value));
    const Acceptance accepted = acceptance(request, "gzip");
    return std::pair(accepted.coding, accepted.identity);
  };
  using Pair = std::pair<unsigned, unsigned>;
  CHECK(weights(nullptr) == Pair(0, 1000));
  CHECK(weights("") == Pair(0, 1));
  CHECK(weights("gzip") == Pair(1000, 1));
  CHECK(weights("GZIP;q=0.5, br") == Pair(500, 1));
  CHECK(weights("x-gzip") == Pair(1000, 1));
  CHECK(weights("br") == Pair(0, 1));
  CHECK(weights("*") == Pair(1000, 1000));
  CHECK(weights("*;q=0") == Pair(0, 0));
  CHECK(weights("gzip;q=0, *") == Pair(0, 1000));
  CHECK(weights("identity;q=0, gzip;q=0.1") == Pair(100, 0));
}

TEST_CASE("field_value: entity tags stand in quotes") {
  CHECK(is_entity_tag("\"a\""));
  CHECK(is_entity_tag("W/\"\""));
  for (const char* bad : {"", "a", "\"", "W/", "w/\"a\"", "\"a\"b\"", "\"a"}) {
    CHECK_FALSE(is_entity_tag(bad));
  }
}

}  // namespace
}  // namespace rehead::http
