#include "http/url.h"

#include <catch2/catch.hpp>

namespace rehead::http {
namespace {

TEST_CASE("url: every part stands where RFC 3986 has it") {
  const Url url = split_url("http://user:pw@Example.com:8080/a/b?q=1?2#top#x");
  CHECK(url.scheme == "http");
  CHECK(url.authority == "user:pw@Example.com:8080");
  CHECK(url.host() == "Example.com");
  CHECK(url.path == "/a/b");
  CHECK(url.query == "q=1?2");
  CHECK(url.fragment == "top#x");
  CHECK(url.target() == "/a/b?q=1?2");
}

TEST_CASE("url: what is not there is empty, an empty query is there") {
  CHECK(split_url("https://h").target().empty());
  CHECK(split_url("https://h?x").host() == "h");
  CHECK(split_url("https://h?x").target() == "?x");
  CHECK(split_url("/a?").has_query);
  CHECK(split_url("/a?").target() == "/a?");
  CHECK_FALSE(split_url("/a#b?c").has_query);
  CHECK(split_url("*").path == "*");
  CHECK(split_url("/redirect?to=http://x/y").scheme.empty());
  CHECK(split_url("://x").scheme.empty());
  CHECK(split_url("").path.empty());
}

TEST_CASE("url: a host comes without its port, IPv6 keeps its brackets") {
  CHECK(split_url("http://[::1]:80/").host() == "[::1]");
  CHECK(without_port("[2001:db8::1]") == "[2001:db8::1]");
  CHECK(without_port("h:1") == "h");
  CHECK(without_port("h") == "h");
}

}  // namespace
}  // namespace rehead::http
