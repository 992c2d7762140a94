#include "pipeline/diff.h"

#include <catch2/catch.hpp>

using namespace rehead;

namespace {

HeadText head(const std::vector<std::string>& fields,
              HeadText::LineEnd end = HeadText::LineEnd::none) {
  http::Message message;
  message.start.set_version("HTTP/1.1");
  message.start.set_status(200);
  for (const std::string& value : fields) REQUIRE(message.headers.append("A", value));
  HeadText text;
  text.take(message);
  message.notes.lf_head = end == HeadText::LineEnd::lf;
  if (end != HeadText::LineEnd::none) text.spell_as_stored(message);
  return text;
}

std::string diff(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  ExchangeChange change;
  change.number = 7;
  change.sides[0].there = true;
  change.sides[0].line = change.sides[0].new_line = 10;
  change.sides[0].before = head(before);
  change.sides[0].after = head(after);
  return diff_text(change, {});
}

}  // namespace

TEST_CASE("diff: near changes share a hunk, far ones do not") {
  CHECK(diff({"1", "2"}, {"1", "2"}) == "");
  CHECK(diff({"1", "2"}, {"1", "3"}) ==
        "@@ -10,3 +10,3 @@ message 7\n HTTP/1.1 200\n A: 1\n-A: 2\n+A: 3\n");
  CHECK(diff({"x", "1", "2", "3", "4", "5", "6", "y"}, {"1", "2", "3", "4", "5", "6"}) ==
        "@@ -10,9 +10,7 @@ message 7\n HTTP/1.1 200\n-A: x\n A: 1\n A: 2\n A: 3\n A: 4\n A: 5\n"
        " A: 6\n-A: y\n");
  CHECK(diff({"x", "1", "2", "3", "4", "5", "6", "7", "y"}, {"1", "2", "3", "4", "5", "6", "7"}) ==
        "@@ -10,5 +10,4 @@ message 7\n HTTP/1.1 200\n-A: x\n A: 1\n A: 2\n A: 3\n"
        "@@ -16,4 +15,3 @@ message 7\n A: 5\n A: 6\n A: 7\n-A: y\n");
}

TEST_CASE("diff: of raw HTTP as many lines stand before a change as behind it, with their ends") {
  const auto raw = [](const std::vector<std::string>& before, const std::vector<std::string>& after,
                      bool lf, std::uint64_t line) {
    const auto end = lf ? HeadText::LineEnd::lf : HeadText::LineEnd::crlf;
    ExchangeChange change;
    Change& side = change.sides[0];
    side.there = true;
    side.line = side.new_line = line;
    side.before = head(before, end);
    side.after = head(after, end);
    return diff_text(change, {});
  };
  CHECK(raw({"1", "2"}, {"1", "2", "3"}, true, 10) ==
        "@@ -12,2 +12,3 @@ message 0\n A: 2\n+A: 3\n \n");
  CHECK(raw({"1", "2"}, {"1", "2", "3"}, false, 10) ==
        "@@ -12,2 +12,3 @@ message 0\n A: 2\r\n+A: 3\r\n \r\n");
  CHECK(raw({"1", "2", "3", "4"}, {"2", "3", "4"}, true, 10) ==
        "@@ -10,3 +10,2 @@ message 0\n HTTP/1.1 200\n-A: 1\n A: 2\n");
  // a file begins with fewer
  CHECK(raw({"1", "2", "3", "4"}, {"2", "3", "4"}, true, 1) ==
        "@@ -1,5 +1,4 @@ message 0\n HTTP/1.1 200\n-A: 1\n A: 2\n A: 3\n A: 4\n");
}

TEST_CASE("diff: a line end in a value makes no line") {
  ExchangeChange change;
  change.sides[0].there = true;
  http::Message message;
  message.start.set_version("HTTP/1.1");
  message.start.set_status(200);
  http::Field field;
  const std::string_view value("a\nb\r\0\x1b", 6);
  field.name_at = "N";
  field.name_size = 1;
  field.value_at = value.data();
  field.value_size = static_cast<std::uint32_t>(value.size());
  message.headers.load(field);
  change.sides[0].after.take(message);
  CHECK(diff_text(change, {}) ==
        "@@ -0,0 +1,2 @@ message 0\n+HTTP/1.1 200\n+N: a\\x0Ab\\x0D\\x00\x1b\n");
  CHECK(diff_text(change, {.colour = false, .harmless = true}).ends_with("\\x00\\x1B\n"));
}

TEST_CASE("diff: a head of very many fields costs no more than its lines") {
  const std::vector<std::string> before(9000, "x"), after(9000, "y");
  const std::string text = diff(before, after);
  CHECK(std::count(text.begin(), text.end(), '\n') == 18002);
}
