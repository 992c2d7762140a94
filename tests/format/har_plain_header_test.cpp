// The short way through headers[], with the JSON cursor as its oracle.
#include "format/har_plain_header.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "codec/json.h"

namespace rehead::format {
namespace {

namespace json = codec::json;
using json::Kind;

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

/// The header as the cursor reads it; `plain`: the short way has to take it.
struct Wanted {
  HarSpan element, name, value;
  bool plain = true;
};

Wanted read_slowly(json::Cursor& cursor, const json::Value& element) {
  Wanted wanted;
  const auto span = [&](const json::Value& value) -> HarSpan {
    return {value.offset, value.offset + cursor.raw(value)->size()};
  };
  wanted.element = span(element);
  std::size_t number = 0;
  if (element.kind == Kind::array) {
    const auto walked = cursor.for_each_element(element, [&](const json::Value& value) -> Status {
      const HarSpan place = span(value);
      const std::string_view spelt = place.in(cursor.text());
      if (++number <= 2) (number == 1 ? wanted.name : wanted.value) = place;
      const bool escaped_name = number == 1 && spelt.find('\\') != spelt.npos;
      wanted.plain = wanted.plain && value.kind == Kind::string && !has_control(spelt) && !escaped_name;
      return {};
    });
    REQUIRE(walked);
    wanted.plain = wanted.plain && number == 2;
    return wanted;
  }
  wanted.plain = element.kind == Kind::object;
  if (!wanted.plain) return wanted;
  const auto walked = cursor.for_each_member(element, [&](const json::Member& member) -> Status {
    ++number;
    const HarSpan value = span(member.value);
    if (member.key == "name" && !wanted.name) {
      wanted.name = value;
    } else if (member.key == "value" && !wanted.value) {
      wanted.value = value;
    } else {
      wanted.plain = false;
    }
    const std::string_view spelt = value.in(cursor.text());
    const bool escaped_name = member.key == "name" && spelt.find('\\') != spelt.npos;
    if (member.value.kind != Kind::string || has_control(spelt) || escaped_name ||
        cursor.text().substr(member.key_offset + 1, member.key.size()) != member.key) {
      wanted.plain = false;
    }
    return {};
  });
  REQUIRE(walked);
  wanted.plain = wanted.plain && number == 2;
  return wanted;
}

bool next(PlainHeaders& plain, PlainHeader& header) {
  return plain.next(std::span(&header, 1)) == 1;
}

/// Elements mostly laid out alike; strings of all lengths, odd ones among them.
std::string random_headers(std::mt19937& random) {
  const auto any = [&](std::initializer_list<std::string_view> choices) {
    return std::string(choices.begin()[random() % choices.size()]);
  };
  const auto blanks = [&] { return any({"", "", " ", "\n      ", "\r\n\t                    "}); };
  const auto text = [&](std::size_t size, bool value) {
    std::string out;
    while (out.size() < size) {
      const auto sign = random() % 300;
      if (sign == 0 && value) out += any({"\\\"", "\\n", "\\u00e9", "\\\\"});
      else if (sign == 1) out += any({"\\u0041", "\x01", "\n", "\xC3\xA9", "\x7F", "_", ":", " "});
      else out += static_cast<char>('a' + random() % 26);
    }
    return out;
  };
  std::string open = blanks(), colon = blanks() + ":" + blanks(), comma = blanks() + "," + blanks();
  std::string close = blanks(), between = blanks() + "," + blanks();
  bool swap = random() % 4 == 0;
  std::string out = "[" + blanks();
  const bool pairs = random() % 3 == 0;
  const std::size_t number = random() % 12;
  for (std::size_t i = 0; i < number; ++i) {
    if (i != 0) out += between;
    if (random() % 12 == 0) swap = !swap;
    if (random() % 12 == 0) (random() % 2 != 0 ? close : colon) += " ";
    if (random() % 30 == 0) {
      out += any({R"(["a","b"])", R"(["a","b","latin1"])", R"(["a"])", R"(["a",1])", R"({})", R"({"name":"a"})", R"({"name":"a","value":1})",
                  R"({"name":"a","value":"b","comment":""})", R"({"n\u0061me":"a","value":"b"})",
                  R"({"name":"a","name":"b"})", "null"});
      continue;
    }
    if (pairs) {
      out += '[' + open + '"' + text(random() % 40, false) + '"' + comma + '"' +
             text(random() % 90, true) + '"' + close + ']';
      continue;
    }
    const std::string name = "\"name\"" + colon + '"' + text(random() % 40, false) + '"';
    const std::string value = "\"value\"" + colon + '"' + text(random() % 90, true) + '"';
    out += '{' + open + (swap ? value : name) + comma + (swap ? name : value) + close + '}';
  }
  return out + blanks() + "]";
}

TEST_CASE("har_plain_header: what the short way takes is what the cursor reads") {
  std::mt19937 random(21);
  std::size_t taken = 0, by_next = 0;
  for (int round = 0; round < 4'000; ++round) {
    const std::string made = random_headers(random);
    INFO(made);
    const std::unique_ptr<char[]> exact(new char[made.size()]);
    std::memcpy(exact.get(), made.data(), made.size());
    const std::string_view text(exact.get(), made.size());
    Arena arena;
    json::Cursor cursor(text, 8, arena);
    PlainHeaders plain(text);
    PlainHeader header;
    bool again = false;  // the header before was taken
    const auto walked =
        cursor.for_each_element(*cursor.root(), [&](const json::Value& element) -> Status {
          const Wanted wanted = read_slowly(cursor, element);
          bool found = again && next(plain, header);
          by_next += found ? 1 : 0;
          if (!found) {
            found = plain.read(element.offset, header);
            REQUIRE(found == wanted.plain);
          }
          again = found;
          if (!found) return {};
          ++taken;
          REQUIRE(wanted.plain);
          const auto same = [](HarSpan a, HarSpan b) { return a.begin == b.begin && a.end == b.end; };
          REQUIRE(same(header.spans.element, wanted.element));
          REQUIRE(same(header.spans.name, wanted.name));
          REQUIRE(same(header.spans.value, wanted.value));
          const std::string_view name = wanted.name.in(text);
          REQUIRE(header.token == ascii::is_token(name.substr(1, name.size() - 2)));
          REQUIRE(header.escaped == (wanted.value.in(text).find('\\') != std::string_view::npos));
          return {};
        });
    REQUIRE(walked);
    if (again) REQUIRE_FALSE(next(plain, header));
  }
  CHECK(taken > 10'000);
  CHECK(by_next > 5'000);
}

TEST_CASE("har_plain_header: headers come by the dozen as they come one by one") {
  std::mt19937 random(22);
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_headers(random) + std::string(16, ' ');
    PlainHeaders plain(text), again(text);
    std::array<PlainHeader, 12> all;
    PlainHeader one;
    const std::size_t at = text.find_first_of("{[", 1);
    if (at == text.npos || !plain.read(at, all[0])) continue;
    REQUIRE(again.read(at, one));
    const std::size_t number = plain.next(all);
    for (std::size_t i = 0; i < number; ++i) {
      REQUIRE(next(again, one));
      REQUIRE(one.spans.element.begin == all[i].spans.element.begin);
      REQUIRE(one.spans.value.end == all[i].spans.value.end);
    }
    REQUIRE_FALSE(next(again, one));
  }
}

TEST_CASE("har_plain_header: every prefix of an array is taken as far as it is whole") {
  const std::string text =
      R"([{"name":"Aa","value":"1"},{"name":"Bb","value":"2 \" 2"},{"name":"Cc","value":"3"}])";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const std::unique_ptr<char[]> exact(new char[size]);
    std::memcpy(exact.get(), text.data(), size);
    PlainHeaders plain({exact.get(), size});
    PlainHeader header;
    std::size_t number = 0;
    bool found = size > 1 && plain.read(1, header);
    for (std::size_t at = 1; found; ++number) {
      CHECK(header.spans.element.begin == at);
      at = header.spans.element.end + 1;
      found = next(plain, header) || (at < size && plain.read(at, header));
    }
    CHECK(number == static_cast<std::size_t>(std::ranges::count(text.substr(0, size), '}')));
  }
}

}  // namespace
}  // namespace rehead::format
