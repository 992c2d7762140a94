#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "corpus.h"
#include "format/har_chain.h"

namespace rehead::format {
namespace {

TEST_CASE("har: the empty chain gives back every file byte for byte, however it is read") {
  for (const auto& path : har_files()) {
    const std::string text = read_whole(path);
    const std::string name = path.filename().string();
    if (name == "concatenated.har" || text.empty()) continue;
    INFO(name);
    const Converted whole = through(text);
    if (!whole.error.empty()) continue;
    const bool same = whole.output == text;
    CHECK(same);
    if (text.size() > 5000) continue;
    for (const std::size_t step : {1U, 7U, 64U}) CHECK(through(text, {}, step) == whole);
  }
}

TEST_CASE("har: cut anywhere, complete entries are written and the document is closed") {
  const std::string text =
      "{\"log\":{\"version\":\"1.2\",\"pages\":[],\n\"entries\":[\n{\"request\":{\"headers\":[]}},"
      "\n"
      "{\"request\":{\"url\":\"\\\"}\"}}\n],\"comment\":\"x\"},\"more\":1}";
  for (std::size_t size = 1; size < text.size(); ++size) {
    INFO(text.substr(0, size));
    const Converted cut = through(text.substr(0, size));
    CHECK(cut.error == "har-cut");
    std::size_t complete = 0;
    for (const std::string_view end : {"[]}}", "\\\"}\"}}"}) {
      const std::size_t at = text.find(end);
      complete += at != std::string::npos && at + end.size() <= size ? 1U : 0U;
    }
    CHECK(cut.messages == complete);
    const Converted again = through(cut.output);
    const bool reached = size >= text.find("[\n") + 1;
    CHECK((again.error.empty() || !reached));
    CHECK(again.messages == complete);
    CHECK(through(text.substr(0, size), {}, 1) == cut);
  }
}

TEST_CASE("har: an entry that cannot be read stays as it is and is told of, with its place") {
  const std::string good = R"({"request":{"headers":[{"name":"A","value":"1"}]}})";
  const auto [bad, what, byte] = GENERATE(table<std::string, std::string, std::size_t>({
      {"12", "the entry is a number", 0},
      {"null", "the entry is null", 0},
      {R"({"response":{"headers":"none"}})", "\"headers\" is a string", 23},
      {R"({"response":{"headers":{"A":"1"}}})", "\"headers\" is an object", 23},
      {R"({"response":{"headers":[1]}})", "a header is a number", 24},
      {R"({"request":"GET / HTTP/1.1"})", "\"request\" is a string", 11},
      {R"({"request":{"headers":[{"name":"\x"}]}})", "escape", 32},
      {R"({"request":{"headers" [] }})", "colon", 22},
  }));
  const std::string text = R"({"log":{"entries":[)" + good + "," + bad + "," + good + "]}}";
  INFO(bad);
  const Converted kept = through(text);
  CHECK(kept.output == text);
  CHECK(kept.messages == 2);
  REQUIRE(kept.findings.size() == 1);
  CHECK_THAT(kept.findings[0], Catch::Contains(what));
  CHECK_THAT(kept.findings[0],
             Catch::Contains("message 2 byte " + std::to_string(text.find(bad, 20) + byte) + ":"));
  const Converted edited = through(text, {"remove a"});
  CHECK_THAT(edited.output, Catch::Contains("[]}}," + bad + ",{"));
}

TEST_CASE("har: a field that changes is spelt as those around it, the others stay") {
  const std::string head = R"({ "status" : 200 , "headers" : [)";
  const std::string tail = R"(], "headersSize" : 12 , "x" : 1.0 })";
  const auto change = [&](const std::string& fields, const std::string& step) {
    const std::string out = response_after(head + fields + tail, {step});
    REQUIRE(out.starts_with(head));
    const std::string rest = R"(], "headersSize" : -1 , "x" : 1.0 })";
    REQUIRE(out.ends_with(rest));
    return out.substr(head.size(), out.size() - head.size() - rest.size());
  };
  const std::string a = R"( { "value" : "1\/1" , "name" : "A" } )";
  const std::string b = R"({"name":"B","comment":"c","value":"2"})";
  CHECK(change(a + "," + b, "remove a") == R"( {"name":"B","comment":"c","value":"2"})");
  CHECK(change(a + "," + b, "remove b") == a.substr(0, a.size() - 1));
  CHECK(change(b, "remove b").empty());
  CHECK(change(a + "," + b, "set B: 3") == a + R"(,{"name":"B","comment":"c","value":"3"})");
  CHECK(change(a + "," + b, "rename a=AA") == R"( { "value" : "1\/1" , "name" : "AA" } ,)" + b);
  CHECK(change(a, "add C: \"q\"") ==
        a.substr(0, a.size() - 1) + R"(, { "value" : "\"q\"" , "name" : "C" } )");
  CHECK(change("", "set C: 1") == R"({"name":"C","value":"1"})");
  CHECK(change(R"(["A","1"])", "set A: 2") == R"(["A","2"])");
  CHECK(change(R"(["A","1"])", "set B: 2") == R"(["A","1"],["B","2"])");
  CHECK(change(b + ", " + a.substr(1), "sort") == a.substr(1, a.size() - 2) + ", " + b + " ");
}

TEST_CASE("har: a field that is added is spelt alike whether or not the others are spelt anew") {
  const std::string headers = GENERATE(
      R"([{"name":"A","value":"1"}])", R"([ { "value" : "1\/1" , "name" : "A" } ])",
      R"([{"name":"A","value":"1","x":[]},{"name":"B","value":"2"}  ])",
      "[\n  {\n    \"name\": \"A\",\n    \"value\": \"1\"\n  },\n  {\"name\":\"C\"}\n]",
      R"([["A","1"],["B","2"]])", R"([{"name":"A","value":["1","2"]},{"name":"Set-Cookie","value":"a=b"}])",
      R"([{"name":"A","value":"1"},{"name":"set-cookie","value":"a=b\nc=d"}])");
  const std::string object = R"({"cookies":[],"headers":)" + headers + R"(,"headersSize":12})";
  for (const std::string step : {"set X: 1", "add Set-Cookie: e=f", "add B: \"\\u00e9"}) {
    INFO(headers + step);
    // A name that is changed and changed back: all headers are written anew.
    const std::string anew = response_after(object, {"rename a=y", "rename y=A", step});
    CHECK(response_after(object, {step}) == anew);
    CHECK(anew != object);
  }
}

TEST_CASE("har: headers that are missing or null are made when a field is added") {
  CHECK(response_after(R"({"status":200})", {"set A: 1"}) ==
        R"({"status":200,"headers":[{"name":"A","value":"1"}]})");
  CHECK(response_after(R"({ "status": 200 })", {"set A: 1"}) ==
        R"({ "status": 200, "headers": [{"name":"A","value":"1"}] })");
  CHECK(response_after(R"({"headers":null})", {"set A: 1"}) ==
        R"({"headers":[{"name":"A","value":"1"}]})");
  CHECK(response_after(R"({})", {"set A: 1"}) == R"({"headers":[{"name":"A","value":"1"}]})");
  CHECK(response_after("null", {"set A: 1"}) == "null");
}

TEST_CASE("har: values joined by LF are fields of their own, and stay joined unless one changes") {
  const std::string joined =
      R"({"status":200,"headers":[{"name":"Via","value":"a\nb\n\nc"},{"name":"X","value":"1"}]})";
  CHECK(response_after(joined, {"remove x"}) ==
        R"({"status":200,"headers":[{"name":"Via","value":"a\nb\n\nc"}]})");
  CHECK(response_after(joined, {"sub via:/^b$/B/"}) ==
        R"({"status":200,"headers":[{"name":"Via","value":"a"},{"name":"Via","value":"B"},)"
        R"({"name":"Via","value":""},{"name":"Via","value":"c"},{"name":"X","value":"1"}]})");
  CHECK(response_after(joined, {"remove via"}) ==
        R"({"status":200,"headers":[{"name":"X","value":"1"}]})");
}

}  // namespace
}  // namespace rehead::format
