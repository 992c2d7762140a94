#include "codec/json.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "codec/json_check.h"
#include "codec/json_writer.h"
#include "codec/utf8.h"

namespace rehead::codec::json {
namespace {

constexpr std::size_t kDepth = 64;

/// A copy in a block of exactly its size, so that a sanitizer sees one byte too far.
struct Exact {
  explicit Exact(std::string_view text) : bytes(new char[text.size()]), size(text.size()) {
    std::memcpy(bytes.get(), text.data(), text.size());
  }
  std::string_view view() const { return {bytes.get(), size}; }
  std::unique_ptr<char[]> bytes;
  std::size_t size;
};

/// Opens everything and writes it again without blanks; keys and strings respelt.
Status respell(Cursor& cursor, const Value& value, std::string& out) {
  bool first = true;
  const auto comma = [&] {
    if (!first) out += ',';
    first = false;
  };
  if (value.kind == Kind::object) {
    out += '{';
    auto done = cursor.for_each_member(value, [&](const Member& member) -> Status {
      comma();
      JsonWriter(out).string(member.key);
      out += ':';
      return respell(cursor, member.value, out);
    });
    out += '}';
    return done;
  }
  if (value.kind == Kind::array) {
    out += '[';
    auto done = cursor.for_each_element(value, [&](const Value& element) -> Status {
      comma();
      return respell(cursor, element, out);
    });
    out += ']';
    return done;
  }
  if (value.kind == Kind::string) {
    auto text = cursor.string(value);
    if (!text) return fail(text.error());
    auto size = cursor.string_size(value);
    REQUIRE(size);
    CHECK(*size == text->size());
    JsonWriter(out).string(*text);
    return {};
  }
  auto raw = cursor.raw(value);
  if (!raw) return fail(raw.error());
  out += *raw;
  return {};
}

struct Outcome {
  std::string text;
  std::string what;
  std::uint64_t byte = 0;
  Errc code = Errc::syntax;
};

/// Opens everything.
Outcome open_all(std::string_view text, std::size_t depth = kDepth) {
  const Exact exact(text);
  Arena arena;
  Cursor cursor(exact.view(), depth, arena);
  Outcome outcome;
  Status done = [&]() -> Status {
    auto root = cursor.root();
    if (!root) return fail(root.error());
    if (auto opened = respell(cursor, *root, outcome.text); !opened) return opened;
    return cursor.finish();
  }();
  if (!done) outcome = {"", done.error().what, done.error().byte.value(), done.error().code};
  return outcome;
}

/// Opens nothing.
Outcome skip_all(std::string_view text, std::size_t depth = kDepth) {
  const Exact exact(text);
  Arena arena;
  Cursor cursor(exact.view(), depth, arena);
  auto done = cursor.finish();
  if (!done) return {"", done.error().what, done.error().byte.value(), done.error().code};
  auto root = cursor.root();
  return {std::string(*cursor.raw(*root)), "", 0, Errc::syntax};
}

std::string decoded(std::string_view quoted) {
  const Exact exact(quoted);
  Arena arena;
  Cursor cursor(exact.view(), kDepth, arena);
  auto text = cursor.string(*cursor.root());
  if (!text) return "error " + text.error().what + " at " + std::to_string(*text.error().byte);
  std::string pulled;
  StringSource source;
  source.start(exact.view());
  while (true) {
    auto piece = source.pull();
    REQUIRE(piece);
    if (piece->kind == Piece::Kind::end) break;
    REQUIRE(!piece->bytes.empty());
    pulled += piece->bytes;
  }
  CHECK(pulled == *text);
  return std::string(*text);
}

}  // namespace

TEST_CASE("json: members and elements come in order, repeated keys and blanks included") {
  CHECK(open_all(" { \"a\" : [ 1 , {} , [ ] ] ,\r\n\t\"a\":\"x\", \"b\":null}\n").text ==
        R"({"a":[1,{},[]],"a":"x","b":null})");
  CHECK(open_all("[]").text == "[]");
  CHECK(open_all("\"x\"").text == "\"x\"");
  CHECK(open_all("-1.50e+3").text == "-1.50e+3");
}

TEST_CASE("json: what is not opened is skipped as it stands") {
  const std::string_view text = R"({"a":"}]\"","b":[{"c":"\\"}],"d":1})";
  CHECK(skip_all(text).text == text);
}

TEST_CASE("json: values may be read in any order and more than once") {
  Arena arena;
  Cursor cursor(R"({"x":{"y":[1,2]},"z":"end"})", kDepth, arena);
  std::vector<Value> values;
  const Value root = cursor.root().value();
  REQUIRE(cursor.for_each_member(root, [&](const Member& member) -> Status {
    values.push_back(member.value);
    return {};
  }));
  CHECK(cursor.string(values[1]).value() == "end");
  CHECK(cursor.raw(values[0]).value() == R"({"y":[1,2]})");
  for (int round = 0; round < 2; ++round) {
    int members = 0;
    REQUIRE(cursor.for_each_member(values[0], [&](const Member& member) -> Status {
      ++members;
      CHECK(member.key == "y");
      CHECK(cursor.string(values[1]).value() == "end");
      return cursor.for_each_element(member.value, [](const Value&) -> Status { return {}; });
    }));
    CHECK(members == 1);
  }
  CHECK(cursor.finish());
}

TEST_CASE("json: an error of the visitor ends the walk and comes out") {
  Arena arena;
  Cursor cursor("[1,2,3]", kDepth, arena);
  int seen = 0;
  auto done = cursor.for_each_element(cursor.root().value(), [&](const Value&) -> Status {
    return ++seen == 2 ? Status(fail({Errc::limit, "mine", "enough"})) : Status();
  });
  REQUIRE(!done);
  CHECK(done.error().what == "enough");
  CHECK(seen == 2);
}

TEST_CASE("json: escapes are undone, surrogates in pairs are one character") {
  CHECK(decoded(R"("plain")") == "plain");
  CHECK(decoded(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
  CHECK(decoded(R"("caf\u00e9 \u20AC")") == "caf\xC3\xA9 \xE2\x82\xAC");
  CHECK(decoded(R"("\ud83d\ude00")") == "\xF0\x9F\x98\x80");
  CHECK(decoded(R"("a\u0000b")") == std::string("a\0b", 3));
}

TEST_CASE("json: a lone surrogate becomes three bytes that are not UTF-8") {
  CHECK(decoded(R"("\ud800 ok")") == "\xED\xA0\x80 ok");
  CHECK(decoded(R"("\ude00\ud83d")") == "\xED\xB8\x80\xED\xA0\xBD");
  CHECK(decoded(R"("\ud83d\u0041")") ==
        "\xED\xA0\xBD"
        "A");
  CHECK(!is_utf8(decoded(R"("\ud800")")));
}

TEST_CASE("json: unknown escapes are errors with their place, once the string is opened") {
  CHECK(decoded(R"("ab\x41")") == "error an escape that JSON does not know at 3");
  CHECK(decoded(R"("ab\u12g4")") == "error an escape that JSON does not know at 3");
  CHECK(decoded(R"("\u12")") == "error an escape that JSON does not know at 1");
  CHECK(skip_all(R"(["\x"])").what.empty());
  CHECK(open_all(R"({"\x":1})").byte == 2);
}

TEST_CASE("json: long strings are pulled as views and escapes in between as copies") {
  const std::string run(1000, 'r');
  std::string quoted = "\"";
  std::string plain;
  for (int i = 0; i < 3000; ++i) {
    quoted += i % 700 == 0 ? run + "\\n" : "\\u00e9x";
    plain += i % 700 == 0 ? run + "\n" : "\xC3\xA9x";
  }
  CHECK(decoded(quoted + "\"") == plain);
}

TEST_CASE("json: words JSON does not know, control bytes and bad UTF-8 pass as text") {
  CHECK(open_all("[NaN,-Infinity,007,+1,1e999,12345678901234567890]").text ==
        "[NaN,-Infinity,007,+1,1e999,12345678901234567890]");
  CHECK(decoded("\"tab\there \xFF\"") == "tab\there \xFF");
  Arena arena;
  Cursor cursor("[NaN,1,true,null,\"\",{},[],01]", kDepth, arena);
  std::vector<Kind> kinds;
  REQUIRE(cursor.for_each_element(cursor.root().value(), [&](const Value& value) -> Status {
    kinds.push_back(value.kind);
    return {};
  }));
  CHECK(kinds == std::vector{Kind::other, Kind::number, Kind::boolean, Kind::null, Kind::string,
                             Kind::object, Kind::array, Kind::other});
}

TEST_CASE("json: broken text is refused with the byte and a sentence") {
  struct Row {
    std::string_view text;
    std::string_view what;
    std::uint64_t byte;
  };
  const Row rows[] = {
      {"", "the JSON text ends where a value should stand", 0},
      {"  ", "the JSON text ends where a value should stand", 2},
      {"{", "the JSON text ends inside an object", 1},
      {"{\"a", "the JSON text ends inside a string", 3},
      {"{\"a\\", "the JSON text ends inside a string", 4},
      {"{\"a\"", "the colon after a member name is missing", 4},
      {"{\"a\" 1}", "the colon after a member name is missing", 5},
      {"{\"a\":", "the JSON text ends where a value should stand", 5},
      {"{\"a\":}", "a JSON value is missing", 5},
      {"{\"a\":1", "the JSON text ends inside an object", 6},
      {"{\"a\":1 \"b\":2}", "a comma or } is missing", 7},
      {"{\"a\":1,}", "a member name in quotes is missing", 7},
      {"{a:1}", "a member name in quotes is missing", 1},
      {"[1,", "the JSON text ends where a value should stand", 3},
      {"[1,]", "a JSON value is missing", 3},
      {"[,1]", "a JSON value is missing", 1},
      {"[1}", "a comma or ] is missing", 2},
      {"[1 2]", "a comma or ] is missing", 3},
      {"[]]", "something follows the JSON value", 2},
      {"{} {}", "something follows the JSON value", 3},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const Outcome outcome = open_all(row.text);
    CHECK(outcome.what == row.what);
    CHECK(outcome.byte == row.byte);
    CHECK(!check(row.text, kDepth));
  }
}

TEST_CASE("json: skipping sees strings and brackets") {
  CHECK(skip_all("[1}").what == "} stands where ] is needed");
  CHECK(skip_all("[1}").byte == 2);
  CHECK(skip_all("[\"a").what == "the JSON text ends inside a string");
  CHECK(skip_all("[{}").what == "the JSON text ends inside an array");
  CHECK(skip_all("[1 2,,]").what.empty());
}

TEST_CASE("json: every prefix of a good object is refused") {
  const std::string text = R"({"a":[1,"x\u00e9\\",{"b":null}],"c":-1.5e3})";
  for (std::size_t size = 0; size < text.size(); ++size) {
    INFO(size);
    CHECK(!open_all(text.substr(0, size)).what.empty());
    CHECK(!skip_all(text.substr(0, size)).what.empty());
    CHECK(!check(text.substr(0, size), kDepth));
  }
  CHECK(open_all(text).what.empty());
}

TEST_CASE("json: nesting is limited, opened or skipped, and nothing recurses") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(open_all(nested(8), 8).what.empty());
  CHECK(open_all(nested(9), 8).code == Errc::limit);
  CHECK(skip_all(nested(8), 8).what.empty());
  CHECK(skip_all(nested(9), 8).code == Errc::limit);
  CHECK(skip_all(nested(9), 8).what == "JSON is nested deeper than 8");
  CHECK(skip_all(nested(9), 8).byte == 8);
  CHECK(check(nested(8), 8));
  CHECK(check(nested(9), 8).error().code == Errc::limit);
  CHECK(skip_all(std::string(1'000'000, '['), 1024).code == Errc::limit);
  CHECK(skip_all(nested(1'000'000), 2'000'000).what.empty());
}

TEST_CASE("json: a value of another kind than needed says so") {
  Arena arena;
  Cursor cursor("\"x\"", kDepth, arena);
  const Value root = cursor.root().value();
  auto done = cursor.for_each_element(root, [](const Value&) -> Status { return {}; });
  CHECK(done.error().what == "a string stands where an array is needed");
  Cursor number("1", kDepth, arena);
  CHECK(number.string(number.root().value()).error().what ==
        "a number stands where a string is needed");
}

TEST_CASE("json_check: what the cursor tolerates is refused to the letter") {
  for (const std::string_view bad :
       {"NaN", "01", "1.", ".5", "+1", "1e", "\"\t\"", "\"\xFF\"", R"("\ud800")", R"("\ud800x")",
        R"("\ude00")", R"("\ud800\u0041")", R"("\ud800\n")", R"("\x")", R"("\u12")", "[1 2]",
        "\"\xED\xA0\x80\"", "truex", "'a'"}) {
    INFO(bad);
    CHECK(!check(bad, kDepth));
  }
  for (const std::string_view good :
       {"0", "-0", "1.5e+10", "true", "\"\x7F\"", R"("\ud83d\ude00")", R"("\/\u0000")", " [ ] ",
        R"({"a":1,"a":[{},{"b":[]}]})", "\"\xF4\x8F\xBF\xBF\""}) {
    INFO(good);
    CHECK(check(good, kDepth));
  }
}

TEST_CASE("json_writer: strings are escaped where JSON requires it and nowhere else") {
  std::string out;
  JsonWriter json(out);
  json.string(std::string_view("a\"b\\c/\n\t\x01\x7F\0 caf\xC3\xA9", 17));
  CHECK(out == "\"a\\\"b\\\\c/\\n\\t\\u0001\\u007f\\u0000 caf\xC3\xA9\"");
  json.clear();
  json.latin1("caf\xE9\n\"\xFF");
  CHECK(out == R"("caf\u00e9\n\"\u00ff")");
  json.clear();
  CHECK(json.text("a\xED\xA0\x80z"));
  CHECK(out == R"("a\ud800z")");
  json.clear();
  CHECK_FALSE(json.text("a\xED\xA0\x80\xFF"));
  CHECK(out == R"("a\u00ed\u00a0\u0080\u00ff")");
}

TEST_CASE("json_writer: it places the commas, also where its output was emptied in between") {
  std::string out, all;
  JsonWriter json(out);
  json.open('{').key("a").open('[').close(']').key("b").open('[').number(1);
  all += std::exchange(out, "");
  json.number(-2).raw("3e1").open('{').close('}').close(']').key("c").open_string();
  json.piece("x");
  json.piece("\"y");
  json.close_string().key("d").number(UINT64_MAX).close('}').end_line();
  json.raw("null").end_line();
  all += out;
  CHECK(all == "{\"a\":[],\"b\":[1,-2,3e1,{}],\"c\":\"x\\\"y\",\"d\":18446744073709551615}\nnull\n");
}

TEST_CASE("json_writer: every byte survives writing and reading") {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  std::string out;
  JsonWriter(out).string(all);
  CHECK(decoded(out) == all);
}

TEST_CASE("utf8: the borders of RFC 3629 hold, however the text is cut") {
  struct Row {
    std::string_view bytes;
    bool good;
  };
  const Row rows[] = {
      {"", true},
      {"plain", true},
      {"\x7F", true},
      {"\x80", false},
      {"\xC1\xBF", false},
      {"\xC2\x80", true},
      {"\xDF\xBF", true},
      {"\xC2", false},
      {"\xE0\x9F\xBF", false},
      {"\xE0\xA0\x80", true},
      {"\xED\x9F\xBF", true},
      {"\xED\xA0\x80", false},
      {"\xEE\x80\x80", true},
      {"\xEF\xBF\xBF", true},
      {"\xF0\x8F\xBF\xBF", false},
      {"\xF0\x90\x80\x80", true},
      {"\xF4\x8F\xBF\xBF", true},
      {"\xF4\x90\x80\x80", false},
      {"\xF5\x80\x80\x80", false},
      {"\xE2\x82", false},
      {"0123456789abcdef\xE2\x82\xAC"
       "0123456789abcdef",
       true},
      {"0123456789abcdef0123456789abcde\xFF", false},
      {"\xE2\x82\xACx\xE2\x82\xAC", true},
      {"\xE2\x28\xA1", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.bytes);
    CHECK(is_utf8(row.bytes) == row.good);
    for (std::size_t cut = 0; cut <= row.bytes.size(); ++cut) {
      Utf8Check check;
      check.feed(row.bytes.substr(0, cut));
      check.feed(row.bytes.substr(cut));
      CHECK(check.complete() == row.good);
    }
  }
}

}  // namespace rehead::codec::json
