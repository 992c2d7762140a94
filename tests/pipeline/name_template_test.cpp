#include "pipeline/name_template.h"

#include <catch2/catch.hpp>

using namespace rehead;

namespace {

/// The name for a response of that type to a request for that URL, entry 7.
std::string name(std::string_view typed, std::string_view url = "https://a.example/x",
                 std::string_view type = "text/html") {
  http::Message request, response;
  request.kind = http::Kind::request;
  response.start.set_status(200);
  REQUIRE(response.headers.append("Content-Type", type));
  http::Exchange exchange{.request = &request, .response = &response, .file = "../in/a.har"};
  exchange.number = 7;
  exchange.url = url;
  const auto made = NameTemplate::parse(typed);
  REQUIRE(made);
  return made->name_for(exchange, http::Side::response, {});
}

std::string host(std::string_view text) {
  return name("{host}", "https://" + std::string(text) + "/");
}

}  // namespace

TEST_CASE("name_template: each place has its value") {
  CHECK(name("b/{host}/{entry}{ext}") == "b/a.example/7.html");
  CHECK(name("{message}-{status}-{type}") == "7-200-text_html");
  CHECK(name("{file}") == "_._in_a.har");
  CHECK(name("plain.har") == "plain.har");
  CHECK(name("{entry}{entry}") == "77");
}

TEST_CASE("name_template: no value leaves the folder as it was typed") {
  CHECK(host("..") == "_.");
  CHECK(host(".hidden") == "_hidden");
  CHECK(host("a\\b") == "a_b");
  CHECK(host("[::1]:80") == "___1_");
  CHECK(host("UPPER.example") == "upper.example");
  CHECK(host("user:secret@a.example:8080") == "a.example");
  CHECK(host("a b\x01\xC3\xA9%2e%2e") == "a_b____2e_2e");
  CHECK(host(std::string(300, 'x')) == std::string(100, 'x'));
  for (int byte = 0; byte < 256; ++byte) {
    const std::string file = std::string(1, static_cast<char>(byte)) + "/x";
    const http::Exchange exchange{.request = nullptr, .response = nullptr, .file = file};
    const std::string made =
        NameTemplate::parse("{file}")->name_for(exchange, http::Side::response, {});
    CAPTURE(byte, made);
    CHECK(made.find_first_of("/\\\n") == made.npos);
    CHECK(made.front() != '.');
  }
}

TEST_CASE("name_template: what is missing is _, or what stood before") {
  CHECK(name("{host}", "data:,x") == "_");
  CHECK(name("{type}{ext}", "", "") == "_.bin");
  http::Message response;
  response.notes.number = 3;
  const http::Exchange alone{.response = &response, .file = "a.http"};
  const auto made = NameTemplate::parse("{host}-{message}-{entry}");
  REQUIRE(made);
  CHECK(made->name_for(alone, http::Side::response, "b.example") == "b.example-3-3");
  CHECK(made->name_for(alone, http::Side::response, {}) == "_-3-3");
}

TEST_CASE("name_template: endings fit the media type") {
  for (const auto& [type, extension] : {std::pair{"Text/HTML; charset=utf-8", ".html"},
                                        {"application/problem+json", ".json"},
                                        {"application/atom+xml", ".xml"},
                                        {"image/svg+xml", ".svg"},
                                        {"text/x-odd", ".txt"},
                                        {"application/octet-stream", ".bin"},
                                        {"../../etc", ".bin"}}) {
    CHECK(name("{ext}", "", type) == extension);
  }
}

TEST_CASE("name_template: places that are not known are refused") {
  for (const std::string_view typed : {"{", "}", "{}", "{Host}", "a{host", "{ext}}", "{{host}}"}) {
    const auto made = NameTemplate::parse(typed);
    CAPTURE(typed);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == Errc::usage);
  }
}
