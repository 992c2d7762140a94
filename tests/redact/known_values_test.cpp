#include "redact/known_values.h"

#include <catch2/catch.hpp>
#include <random>

#include "codec/base64.h"

namespace rehead::redact {
namespace {

std::vector<Found> find(const KnownValues& values, std::string_view text) {
  std::vector<Found> found;
  values.find(text, found);
  return found;
}

/// `text` with what was found as [value].
std::string marked(const KnownValues& values, std::string_view text) {
  std::string out;
  std::size_t at = 0;
  for (const Found& one : find(values, text)) {
    REQUIRE(one.at >= at);
    out.append(text, at, one.at - at).append("[").append(one.value).append("]");
    at = one.at + one.size;
  }
  return out.append(text.substr(at));
}

TEST_CASE("a known value is found anywhere, at any alignment", "[redact]") {
  KnownValues values;
  values.learn("s3cr-t/V", Kind::cookie);
  REQUIRE(values.size() == 1);
  for (std::size_t before = 0; before < 40; ++before) {
    for (std::size_t behind = 0; behind < 20; ++behind) {
      const std::string text = std::string(before, 'x') + "s3cr-t/V" + std::string(behind, 'y');
      const auto found = find(values, text);
      REQUIRE(found.size() == 1);
      CHECK(found[0].at == before);
      CHECK(found[0].size == 8);
      CHECK(found[0].kind == Kind::cookie);
      CHECK(found[0].value == "s3cr-t/V");
    }
  }
  CHECK(find(values, "s3cr-t/v").empty());
  CHECK(find(values, "").empty());
}

TEST_CASE("what is not learnt", "[redact]") {
  KnownValues values;
  for (const std::string_view value : {"", "short77", "REDACTED", "cookie:0123456789abcdef",
                                       "00000000", "undefined", "aaaaaaaaaaaaaaaaaaaaaaaa"}) {
    values.learn(value, Kind::own);
  }
  values.learn(std::string(KnownValues::kLongest, 'a') + 'b', Kind::own);
  CHECK(values.empty());
  values.learn("value-one", Kind::own);
  values.learn("value-one", Kind::cookie);
  CHECK(values.size() == 1);
  values.clear();
  CHECK(values.empty());
  CHECK(find(values, "value-one").empty());
}

TEST_CASE("a short word is no part of a longer one", "[redact]") {
  KnownValues values;
  values.learn("password1", Kind::password);
  CHECK(marked(values, "a=password1&b") == "a=[password1]&b");
  CHECK(marked(values, "password12") == "password12");
  CHECK(marked(values, "mypassword1") == "mypassword1");
  CHECK(marked(values, "x%3Dpassword1%26") == "x%3D[password1]%26");
  CHECK(marked(values, "x\\npassword1\\n") == "x\\n[password1]\\n");
  CHECK(marked(values, "_password1_") == "_[password1]_");
  values.learn("password1234", Kind::password);
  CHECK(marked(values, "mypassword12345") == "my[password1234]5");
}

TEST_CASE("other spellings of a value", "[redact]") {
  const std::string value = "a b\"c/d+e=\xC3\xA9\\<\xF0\x9F\x98\x80>";
  KnownValues values;
  values.learn(value, Kind::token);
  const std::string is = "[" + value + "]";
  for (const std::string_view text : {
           "a%20b%22c%2Fd%2Be%3D%C3%A9%5C%3C%F0%9F%98%80%3E",
           "a%20b%22c%2fd%2be%3d%c3%a9%5c%3c%f0%9f%98%80%3e",
           "a+b%22c%2Fd%2Be%3D%C3%A9%5C%3C%F0%9F%98%80%3E",
           "a%20b%22c/d+e=%C3%A9%5C%3C%F0%9F%98%80%3E",
           "a b\\\"c/d+e=\xC3\xA9\\\\<\xF0\x9F\x98\x80>",
           "a b\\\"c\\/d+e=\xC3\xA9\\\\<\xF0\x9F\x98\x80>",
           "a b\\\"c/d+e=\\u00e9\\\\<\\ud83d\\ude00>",
           "a b\\\"c\\/d+e=\\u00e9\\\\<\\ud83d\\ude00>",
           "a b\\\"c/d+e=\\u00E9\\\\<\\uD83D\\uDE00>",
           "a b\\\"c/d+e=\xC3\xA9\\\\\\u003c\xF0\x9F\x98\x80\\u003e",
           "a b\\\"c/d\\u002Be=\\u00E9\\\\\\u003C\\uD83D\\uDE00\\u003E",
           "a b\\\\\\\"c/d+e=\xC3\xA9\\\\\\\\<\xF0\x9F\x98\x80>",
       }) {
    CHECK(marked(values, "x=" + std::string(text) + "&y") == "x=" + is + "&y");
  }
}

TEST_CASE("a value that was learnt percent-encoded is found decoded", "[redact]") {
  KnownValues values;
  values.learn("s%3Aabc%2Fdef", Kind::cookie);
  CHECK(marked(values, "\"s:abc/def\"") == "\"[s%3Aabc%2Fdef]\"");
}

TEST_CASE("a value within base64, at any alignment", "[redact]") {
  KnownValues values;
  const std::string value = "secret\xFF?>value";
  values.learn(value, Kind::password);
  for (std::size_t before = 0; before < 6; ++before) {
    std::string text;
    codec::append_base64(text, std::string(before, 'u') + value + ":more");
    for (const bool url : {false, true}) {
      if (url) {
        std::replace(text.begin(), text.end(), '+', '-');
        std::replace(text.begin(), text.end(), '/', '_');
      }
      const auto found = find(values, text);
      REQUIRE(found.size() == 1);
      CHECK(found[0].size + 4 >= value.size() * 4 / 3);
      CHECK(found[0].value == value);
    }
  }
}

TEST_CASE("the longest of several at a place, overlaps covered", "[redact]") {
  KnownValues values;
  for (const std::string_view value :
       {"abcd-efgh", "abcd-efgh-ijkl", "efgh-ijkl-mnop", "xxxx-abcd-efgh"}) {
    values.learn(value, Kind::own);
  }
  CHECK(marked(values, "abcd-efgh-ijk") == "[abcd-efgh]-ijk");
  CHECK(marked(values, "abcd-efgh-ijkl") == "[abcd-efgh-ijkl]");
  CHECK(marked(values, "xxxx-abcd-efgh ") == "[xxxx-abcd-efgh] ");
  const auto found = find(values, "abcd-efgh-ijkl-mnop");
  REQUIRE(found.size() == 2);
  CHECK(found[1].at == 14);
  CHECK(found[1].size == 5);
}

/// For each byte of `text` whether one of `values` is over it.
std::vector<bool> covered(const std::vector<std::string>& values, std::string_view text) {
  std::vector<bool> hidden(text.size());
  for (const std::string& value : values) {
    for (std::size_t at = 0; (at = text.find(value, at)) != std::string_view::npos; ++at) {
      std::fill_n(hidden.begin() + static_cast<std::ptrdiff_t>(at), value.size(), true);
    }
  }
  return hidden;
}

TEST_CASE("random values in random texts: as a plain search finds them", "[redact]") {
  std::mt19937 random(11);
  const auto below = [&](std::size_t most) { return random() % most; };
  for (unsigned round = 0; round < 300; ++round) {
    const std::size_t letters = 2 + below(4);
    const auto make = [&](std::size_t size) {
      std::string text;
      for (std::size_t i = 0; i < size; ++i) text += static_cast<char>("-_.~ab"[below(letters)]);
      return text;
    };
    KnownValues values;
    std::vector<std::string> plain;
    for (std::size_t i = 0; i < 1 + below(60); ++i) {
      std::string value = make(8 + below(12));
      if (value.find_first_not_of(value[0]) == std::string::npos) continue;
      values.learn(value, Kind::own);
      plain.push_back(std::move(value));
    }
    std::string text = make(below(400));
    if (!plain.empty()) text.insert(below(text.size() + 1), plain[below(plain.size())]);
    std::vector<bool> hidden(text.size());
    std::size_t end = 0;
    for (const Found& one : find(values, text)) {
      REQUIRE(one.at >= end);
      REQUIRE(one.size > 0);
      end = one.at + one.size;
      REQUIRE(end <= text.size());
      std::fill_n(hidden.begin() + static_cast<std::ptrdiff_t>(one.at), one.size, true);
    }
    REQUIRE(hidden == covered(plain, text));
  }
}

TEST_CASE("ten thousand values, some much alike", "[redact]") {
  KnownValues values;
  const auto value = [](unsigned i) {
    return "eyJhbGciOiJIUzI1NiJ9." + std::to_string(i * 7919U + 100000U) + "/same-end";
  };
  for (unsigned i = 0; i < KnownValues::kMost + 10; ++i) values.learn(value(i), Kind::jwt);
  CHECK(values.size() == KnownValues::kMost);
  CHECK(values.full());
  for (unsigned i = 0; i < KnownValues::kMost; i += 97) {
    const auto found = find(values, "x: " + value(i) + "\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].value == value(i));
    CHECK(found[0].at == 3);
  }
  CHECK(find(values, value(KnownValues::kMost + 5)).empty());
  KnownValues moved = std::move(values);
  CHECK(find(moved, value(3)).size() == 1);
}

}  // namespace
}  // namespace rehead::redact
