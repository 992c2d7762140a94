#include "pipeline/terminal.h"

#include <catch2/catch.hpp>

using namespace rehead;

namespace {

std::string harmless(std::string_view bytes) {
  std::string whole;
  CHECK(append_harmless(whole, bytes, true) == bytes.size());
  // However the bytes come, the result is the same.
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    std::string text, rest;
    rest = bytes.substr(0, cut);
    rest.erase(0, append_harmless(text, rest, false));
    rest += bytes.substr(cut);
    append_harmless(text, rest, true);
    CHECK(text == whole);
  }
  return whole;
}

}  // namespace

TEST_CASE("terminal: plain text, tabs and line ends stay as they are") {
  CHECK(harmless("") == "");
  CHECK(harmless("a\tb\nc\r\nd") == "a\tb\nc\r\nd");
  CHECK(harmless("gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80") ==
        "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST_CASE("terminal: what could do something to a terminal is written out") {
  using namespace std::string_view_literals;
  CHECK(harmless("\x1b[31m\x07\0\x7f"sv) == "\\x1B[31m\\x07\\x00\\x7F");
  CHECK(harmless("a\rb\r") == "a\\x0Db\\x0D");
  CHECK(harmless("\xC2\x9B"
                 "1m \x9B") == "\\xC2\\x9B1m \\x9B");
}

TEST_CASE("terminal: bytes that are no UTF-8 are written out") {
  CHECK(harmless("caf\xE9 au") == "caf\\xE9 au");
  CHECK(harmless("\xC3") == "\\xC3");
  CHECK(harmless("\xE2\x82") == "\\xE2\\x82");
  CHECK(harmless("\xC0\xAF \xE0\x80\x80 \xED\xA0\x80 \xF4\x90\x80\x80 \xFF") ==
        "\\xC0\\xAF \\xE0\\x80\\x80 \\xED\\xA0\\x80 \\xF4\\x90\\x80\\x80 \\xFF");
}

TEST_CASE("terminal: colour stands around the text, if there is any") {
  std::string out;
  paint(out, Ink::red, "a", {.colour = false});
  paint(out, Ink::plain, "b", {.colour = true});
  paint(out, Ink::red, "", {.colour = true});
  paint(out, Ink::red, "c", {.colour = true});
  CHECK(out == "ab\x1b[31mc\x1b[0m");
}
