#include "format/har_splitter.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rehead::format {
namespace {

using Kind = HarPiece::Kind;
using Level = HarPiece::Level;

struct Run {
  std::string copied;  // lead and bytes of every piece
  std::vector<std::string> entries;
  std::vector<std::uint64_t> offsets;   // of the entries
  std::vector<std::string> members;     // level:key
  std::vector<std::string> containers;  // of all entries
  std::string kinds;                    // a letter each
  std::optional<Error> error;
  std::string closers;
  std::size_t longest = 0;  // bytes of a piece
};

/// Hands out `first` bytes in one read, then `step` at a time. Each block is a heap block of its
/// exact size, so that a byte read too far is seen.
class PieceReader final : public Reader {
 public:
  PieceReader(std::string_view bytes, std::size_t first, std::size_t step)
      : bytes_(bytes), next_(first == 0 ? step : first), step_(step) {}
  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t size = std::min({bytes_.size(), into.size(), next_});
    std::copy_n(bytes_.begin(), size, into.begin());
    bytes_.remove_prefix(size);
    next_ = step_;
    return size;
  }

 private:
  std::string_view bytes_;
  std::size_t next_;
  std::size_t step_;
};

Run split(std::string_view text, std::size_t first = 0, std::size_t step = SIZE_MAX,
          const http::Limits& limits = {}) {
  Input input(std::make_unique<PieceReader>(text, first, step));
  HarSplitter splitter(input, limits);
  Run run;
  while (true) {
    auto piece = splitter.next();
    if (!piece) {
      run.error = piece.error();
      run.closers = splitter.closers();
      return run;
    }
    if (piece->kind == Kind::none) return run;
    run.copied.append(piece->lead).append(piece->bytes);
    run.kinds += "DLMmbEeXxR"[static_cast<std::size_t>(piece->kind)];
    if (piece->kind == Kind::entry) {
      run.entries.emplace_back(piece->bytes);
      run.offsets.push_back(piece->offset);
      for (const auto& [open, close] : splitter.containers()) {
        run.containers.emplace_back(piece->bytes.substr(open, close + 1 - open));
      }
    }
    run.longest = std::max(run.longest, piece->lead.size() + piece->bytes.size());
    if (piece->kind == Kind::member) {
      run.members.push_back(std::string(piece->level == Level::log ? "log:" : "") +
                            std::string(piece->key) + "=" + std::string(piece->value));
    }
  }
}

bool same(const Run& a, const Run& b) {
  return a.copied == b.copied && a.entries == b.entries && a.offsets == b.offsets &&
         a.kinds == b.kinds && a.containers == b.containers &&
         a.error.has_value() == b.error.has_value() && a.closers == b.closers &&
         (!a.error || (a.error->what == b.error->what && a.error->byte == b.error->byte));
}

using namespace std::string_literals;

// BOM, CRLF, a member that looks like the real thing, escapes, members behind the entries, NULs.
const std::string kSmall =
    "\xEF\xBB\xBF {\r\n \"extra\": [1, {\"entries\": [2]}], \"log\" : {\"version\":\"1.2\",\n"
    "\"entries\" : [ {\"request\":{\"headers\":[{\"name\":\"a\\\\\\\"}\",\"value\":\"]\"}]},"
    "\"response\":null} ,\n {\"response\":{\"headers\":[],\"content\":{\"text\":\"\\u007b\"}}}\n],"
    "\"pages\":[] , \"n\": -1.50e3},\"after\":true}\n\0\0"s;

TEST_CASE("har_splitter: the pieces are the input, without a gap") {
  const Run run = split(kSmall);
  CHECK_FALSE(run.error);
  CHECK(run.copied == kSmall);
  CHECK(run.kinds == "DMLMEeeXMMxMxR");
  REQUIRE(run.entries.size() == 2);
  CHECK(run.entries[1] == R"({"response":{"headers":[],"content":{"text":"\u007b"}}})");
  CHECK(kSmall.substr(run.offsets[1], run.entries[1].size()) == run.entries[1]);
  CHECK(run.members == std::vector<std::string>{"extra=[1, {\"entries\": [2]}]",
                                                "log:version=\"1.2\"", "log:pages=[]",
                                                "log:n=-1.50e3", "after=true"});
}

TEST_CASE("har_splitter: containers near the surface of an entry are told") {
  const Run run = split(kSmall);
  CHECK(run.containers == std::vector<std::string>{R"({"headers":[{"name":"a\\\"}","value":"]"}]})",
                                                   R"([{"name":"a\\\"}","value":"]"}])",
                                                   R"({"headers":[],"content":{"text":"\u007b"}})",
                                                   "[]", R"({"text":"\u007b"})"});
}

TEST_CASE("har_splitter: how the input is cut into reads changes nothing") {
  const Run whole = split(kSmall);
  for (std::size_t first = 1; first < kSmall.size(); ++first) {
    INFO("first read of " << first);
    CHECK(same(split(kSmall, first), whole));
  }
  for (const std::size_t step : {1U, 2U, 3U, 7U, 63U, 64U, 65U}) {
    INFO("reads of " << step);
    CHECK(same(split(kSmall, 0, step), whole));
  }
}

TEST_CASE("har_splitter: cut anywhere, the complete entries come out and the rest can be closed") {
  const std::size_t end = kSmall.rfind('}') + 1;
  for (std::size_t size = 1; size < end; ++size) {
    const std::string_view text = std::string_view(kSmall).substr(0, size);
    INFO("cut at " << size);
    const Run run = split(text);
    CHECK(same(split(text, 0, 1), run));
    if (text.find('{') == std::string_view::npos) {  // a BOM at most: no document has begun
      CHECK((!run.error || run.error->id == "har-none"));
      continue;
    }
    REQUIRE(run.error);
    CHECK(run.error->code == Errc::syntax);
    CHECK(run.error->id == "har-cut");
    CHECK(run.error->byte == size);
    CHECK(text.starts_with(run.copied));
    const Run closed = split(run.copied + run.closers);
    CHECK(closed.entries == run.entries);
    const bool reached = run.kinds.find('E') != std::string::npos;
    CHECK(closed.error.has_value() != (reached || run.copied.empty()));
  }
}

TEST_CASE("har_splitter: an entry comes out before the input goes on") {
  // The reader has nothing behind the entry's brace: asking it for more would be an error.
  class Closed final : public Reader {
   public:
    Result<std::size_t> read(std::span<char> into) override {
      if (text_.empty()) return fail({Errc::io, "read", "read too far"});
      const std::size_t size = text_.copy(into.data(), into.size());
      text_ = {};
      return size;
    }
    std::string_view text_ = R"({"log":{"entries":[{"request":1})";
  };
  Input input(std::make_unique<Closed>());
  const http::Limits limits;
  HarSplitter splitter(input, limits);
  for (const Kind kind : {Kind::document, Kind::log, Kind::entries, Kind::entry}) {
    auto piece = splitter.next();
    REQUIRE(piece);
    CHECK(piece->kind == kind);
  }
  CHECK_FALSE(splitter.next());
}

TEST_CASE("har_splitter: entries stand anywhere in log, and more than once") {
  CHECK(split(R"({"log":{"entries":[{}],"version":1,"entries":[{},1]}})").kinds == "DLEeXMEeeXxx");
  CHECK(split(R"({"log":{"entries":[]}})").kinds == "DLEXxx");
  CHECK(split(R"({"l\u006fg":{"entri\u0065s":[[]]}})").kinds == "DLEeXxx");
  CHECK(split(R"({"log":null,"log":{"entries":null,"entries":[]}})").kinds == "DMLMEXxx");
}

TEST_CASE("har_splitter: other shapes of a HAR") {
  SECTION("one entry") {
    const Run run = split("{\"time\":1, \"request\":{}}\n");
    CHECK(run.kinds == "eR");
    CHECK(run.entries == std::vector<std::string>{"{\"time\":1, \"request\":{}}"});
  }
  SECTION("entries one behind the other") {
    CHECK(split("{\"request\":{}}\n{\"response\":{}}\n").kinds == "eeR");
  }
  SECTION("an array of entries") { CHECK(split("[{\"request\":{}},{}, 1 ]").kinds == "EeeeX"); }
  SECTION("documents one behind the other") {
    CHECK(
        split("{\"log\":{\"entries\":[{}]}}\0\xEF\xBB\xBF\n{\"log\":{\"entries\":[]}}[]"s).kinds ==
        "DLEeXxxDLEXxxEX");
  }
  SECTION("elements that are no objects") {
    CHECK(split(R"({"log":{"entries":["a\"]",null, 12 ,true,[{}]]}})").entries ==
          std::vector<std::string>{R"("a\"]")", "null", "12", "true", "[{}]"});
  }
  SECTION("nothing") {
    CHECK(split("").kinds.empty());
    CHECK(split(" \n").kinds == "R");
  }
}

TEST_CASE("har_splitter: what is no HAR is told, with its place") {
  const auto [text, what, byte] = GENERATE(table<std::string, std::string, std::uint64_t>({
      {"onLoad({\"log\":{}})", "JSONP", 0},
      {"  ui.har.cb ({})", "no HAR: begins", 2},
      {"HTTP/1.1 200 OK\r\n", "no HAR: begins", 0},
      {"{\"a\":1}", "an object without \"log\"", 0},
      {"{}", "an object without \"log\"", 0},
      {"[1,2]", "an array whose first element", 0},
      {"\xFF\xFE{\0"s, "UTF-16", 0},
      {"{\"log\":{\"entries\":[]}};", "follows the document", 22},
      {"{\"log\":{\"version\":1}}", "no \"log\" with \"entries\"", 20},
      {"{\"log\":null}", "no \"log\" with \"entries\"", 11},
      {"{\"log\":[]}", "\"log\" is an array, an object is needed", 7},
      {"{\"log\":{\"entries\":{}}}", "\"entries\" is an object, an array is needed", 18},
      {"{\"log\":{\"entries\":[{}{}]}}", "a comma or ] is missing", 21},
      {"{\"log\":{\"entries\":[{},]}}", "nothing stands behind a comma", 22},
      {"{\"log\":{\"entries\":[,{}]}}", "a value is missing", 19},
      {"{\"log\":{\"entries\":[{\"a\":[}]}}", "} closes a bracket of another kind", 25},
      {"{\"log\":{\"entries\" []}}", "the colon after a member name", 18},
      {"{\"log\":{x:1}}", "a member name in quotes", 8},
  }));
  const Run run = split(text);
  INFO(text);
  REQUIRE(run.error);
  CHECK(run.error->code == Errc::syntax);
  CHECK_THAT(run.error->what, Catch::Contains(what));
  CHECK(run.error->byte == byte);
  CHECK(same(split(text, 0, 1), run));
}

TEST_CASE("har_splitter: limits are errors with a place, never a crash") {
  http::Limits limits;
  SECTION("nesting") {
    for (const std::size_t levels : {1021U, 1022U}) {
      const std::string text =
          "{\"log\":{\"entries\":[" + std::string(levels, '[') + std::string(levels, ']') + "]}}";
      const Run run = split(text, 0, SIZE_MAX, limits);
      CHECK(run.error.has_value() == (levels == 1022));
      if (run.error) {
        CHECK(run.error->code == Errc::limit);
        CHECK(run.error->byte == 19 + 1021);
      }
    }
    CHECK(split(std::string(10'000'000, '['), 0, SIZE_MAX, limits).error);
    CHECK(split("{\"a\":" + std::string(1'000'000, '{'), 0, SIZE_MAX, limits).error);
  }
  SECTION("size of an entry") {
    limits.max_entry = 100;
    const auto entry = [](std::size_t size) {
      return "{\"log\":{\"entries\":[\"" + std::string(size - 2, 'x') + "\"]}}";
    };
    CHECK_FALSE(split(entry(100), 0, SIZE_MAX, limits).error);
    const Run run = split(entry(101), 0, SIZE_MAX, limits);
    REQUIRE(run.error);
    CHECK(run.error->code == Errc::limit);
    CHECK(run.closers == "]}}");
    CHECK(split("{\"log\":{\"entries\":[{\"a\":\"" + std::string(200, 'x') + "\"}]}}", 0, SIZE_MAX,
                limits)
              .error);
  }
  SECTION("white space around a colon") {
    limits.hold = 1000;
    CHECK_FALSE(split("{\"log\":" + std::string(1000, ' ') + "{\"entries\":[]}}", 0, 10, limits).error);
    CHECK(split("{\"log\":" + std::string(1002, ' ') + "{\"entries\":[]}}", 0, 10, limits).error);
  }
}

TEST_CASE("har_splitter: long members and long white space come in parts") {
  const std::string blanks(200'000, ' ');
  std::string escapes;
  for (int i = 0; i < 60'000; ++i) escapes += "\\\"\\\\x";
  for (const std::string& value : {'"' + escapes + '"', "[\"" + escapes + "\",{\"a\":[]}]",
                                   std::string(300'000, '7'), '"' + std::string(300'000, 'x') + '"'}) {
    const std::string text = "{" + blanks + "\"a\":" + value + "," + blanks + "\"log\":{\"b\":" + value +
                             blanks + ",\"entries\":[" + blanks + "{}" + blanks + "," + blanks +
                             "{} ],\"c\":" + value + "},\"d\":" + value + blanks + "}";
    for (const std::size_t step : {1000UL, 65'535UL, 65'536UL, 65'537UL, 1'000'000UL}) {
      const Run run = split(text, 0, step);
      INFO(step << ' ' << value.substr(0, 20));
      CHECK_FALSE(run.error);
      CHECK(run.copied == text);
      CHECK(run.entries == std::vector<std::string>{"{}", "{}"});
      CHECK(run.longest < (std::size_t{2} << 20));
    }
  }
  CHECK(split("{\"log\":{\"entries\":[{}," + blanks + "]}}").error);
  CHECK(split("{\"log\":{\"entries\":[{}" + blanks + "{}]}}").error);
  CHECK(split("{\"log\":{\"entries\":[" + blanks + ",{}]}}").error);
  CHECK(split("{\"log\":{\"entries\":[{}," + blanks + ",{}]}}").error);
}

TEST_CASE("har_splitter: an entry larger than the window stands in one piece") {
  std::string text = "{\"log\":{\"entries\":[{},";
  const std::string large = "{\"request\":{\"t\":\"" + std::string(3'000'000, 'x') + "\"}}";
  text += large + "," + large + "]}}";
  const Run run = split(text, 0, 10'000);
  CHECK_FALSE(run.error);
  CHECK(run.copied == text);
  REQUIRE(run.entries.size() == 3);
  CHECK(run.entries[2] == large);
}

}  // namespace
}  // namespace rehead::format
