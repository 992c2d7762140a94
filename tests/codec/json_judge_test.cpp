// simdjson as the judge: it and our reader agree on what is JSON and on what it says.
#include <simdjson.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "codec/json.h"
#include "codec/json_check.h"
#include "codec/json_writer.h"
#include "corpus.h"

namespace rehead::codec::json {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kDepth = 1000;

bool same(const dom::element& judged, Cursor& cursor, const Value& value);

bool same_object(const dom::object& judged, Cursor& cursor, const Value& value) {
  auto theirs = judged.begin();
  bool equal = true;
  auto done = cursor.for_each_member(value, [&](const Member& member) -> Status {
    equal = equal && theirs != judged.end() && theirs.key() == member.key &&
            same(theirs.value(), cursor, member.value);
    if (theirs != judged.end()) ++theirs;
    return {};
  });
  return done && equal && !(theirs != judged.end());
}

bool same_array(const dom::array& judged, Cursor& cursor, const Value& value) {
  auto theirs = judged.begin();
  bool equal = true;
  auto done = cursor.for_each_element(value, [&](const Value& element) -> Status {
    equal = equal && theirs != judged.end() && same(*theirs, cursor, element);
    if (theirs != judged.end()) ++theirs;
    return {};
  });
  return done && equal && !(theirs != judged.end());
}

bool same(const dom::element& judged, Cursor& cursor, const Value& value) {
  switch (judged.type()) {
    case dom::element_type::OBJECT:
      return value.kind == Kind::object && same_object(judged.get_object().value(), cursor, value);
    case dom::element_type::ARRAY:
      return value.kind == Kind::array && same_array(judged.get_array().value(), cursor, value);
    case dom::element_type::STRING:
      return value.kind == Kind::string &&
             cursor.string(value).value() == judged.get_string().value() &&
             cursor.string_size(value).value() == judged.get_string().value().size();
    case dom::element_type::BOOL:
      return value.kind == Kind::boolean &&
             (cursor.raw(value).value() == "true") == judged.get_bool().value();
    case dom::element_type::NULL_VALUE:
      return value.kind == Kind::null;
    default:
      break;
  }
  return value.kind == Kind::number && std::strtod(std::string(cursor.raw(value).value()).c_str(),
                                                   nullptr) == judged.get_double().value();
}

/// False if our reader and the judge differ about `text`.
bool agreed(dom::parser& parser, const std::string& text) {
  const auto verdict = parser.parse(simdjson::padded_string(text));
  const bool good = check(text, kDepth).has_value();
  // The judge gives up on numbers beyond its types, on deeper nesting, and says so.
  if (verdict.error() == simdjson::NUMBER_ERROR || verdict.error() == simdjson::DEPTH_ERROR) {
    return true;
  }
  if ((verdict.error() == simdjson::SUCCESS) != good) return false;
  if (!good) return true;
  Arena arena;
  Cursor cursor(text, kDepth, arena);
  const auto root = cursor.root();
  return root && same(verdict.value_unsafe(), cursor, *root) && cursor.finish();
}

const std::vector<std::string> kTexts = {
    R"({"a":[1,-2.5e3,true,false,null,"x\u00e9\ud83d\ude00\/"],"b":{"c":{}},"a":""})",
    R"([[],[[]],{"":0},12345678901234567890,"0123456789abcdef\"0123456789abcdef\\"])",
    "\"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\"",
    " { \"k\" :\t[ 1 ,\r\n2 ] } ",
};

}  // namespace

TEST_CASE("json: simdjson reads the same from good texts") {
  dom::parser parser;
  for (const std::string& text : kTexts) {
    INFO(text);
    CHECK(parser.parse(text).error() == simdjson::SUCCESS);
    CHECK(agreed(parser, text));
  }
}

TEST_CASE("json: simdjson agrees on texts with random faults") {
  dom::parser parser;
  std::mt19937 random(1);
  constexpr std::string_view kBytes = "{}[]:,\"\\u0e-.d8tfn \t\n\x01\x80\xC3\xED\xFF";
  for (int round = 0; round < 40'000; ++round) {
    std::string text = kTexts[random() % kTexts.size()];
    for (auto faults = 1 + random() % 3; faults != 0; --faults) {
      const std::size_t at = random() % text.size();
      const char byte = kBytes[random() % kBytes.size()];
      switch (random() % 3) {
        case 0:
          text[at] = byte;
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        default:
          text.erase(at, 1);
      }
      if (text.empty()) text = " ";
    }
    INFO(text);
    REQUIRE(agreed(parser, text));
  }
}

TEST_CASE("json: simdjson reads back every string we write") {
  dom::parser parser;
  std::mt19937 random(2);
  for (int round = 0; round < 2'000; ++round) {
    std::string text, bytes, quoted;
    for (auto i = random() % 40; i != 0; --i) {
      text +=
          random() % 4 == 0 ? "\xE2\x82\xAC" : std::string(1, static_cast<char>(random() % 128));
      bytes += static_cast<char>(random());
    }
    JsonWriter(quoted).string(text);
    CHECK(parser.parse(quoted).get_string().value() == text);
    quoted.clear();
    JsonWriter(quoted).latin1(bytes);
    CHECK(parser.parse(quoted).error() == simdjson::SUCCESS);
    Arena arena;
    Cursor cursor(quoted, 1, arena);
    CHECK(cursor.latin1(cursor.root().value()).value() == bytes);
  }
}

TEST_CASE("json: simdjson agrees on the HAR files of the corpus") {
  dom::parser parser;
  for (const auto& path : har_files()) {
    INFO(path.string());
    CHECK(agreed(parser, read_whole(path)));
  }
}

}  // namespace rehead::codec::json
