#include "pipeline/reporter.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace rehead;

namespace {

int status_of(Errc code) { return code == Errc::pipe ? 141 : 2 + static_cast<int>(code); }

struct Desk {
  explicit Desk(Reporter::Style style = {}) { reporter.style(style); }
  MemorySink err;
  Reporter reporter{err, status_of};
  const std::string& text() const { return err.text(); }
};

const Finding kWarning = {.id = "odd", .what = "odd"};

}  // namespace

TEST_CASE("reporter: each part of the place stands once, in order") {
  Desk desk;
  desk.reporter.begin_file("<stdin>");
  desk.reporter.at(3);
  desk.reporter.report({.id = "no-colon", .what = "dropped", .byte = 10482, .line = 41});
  desk.reporter.at(0);
  desk.reporter.fail(
      {.id = "lengths", .what = "two", .hint = "--lenient", .byte = 7, .message = 4});
  desk.reporter.fail({.id = "open", .what = "cannot open"});
  CHECK(desk.text() ==
        "rehead: <stdin>: message 3, line 41, byte 10482: warning: dropped\n"
        "rehead: <stdin>: message 4, byte 7: error: two\n"
        "  hint: --lenient\n"
        "rehead: <stdin>: error: cannot open\n");
}

TEST_CASE("reporter: no is 1, and every error outweighs it") {
  Desk desk;
  CHECK(desk.reporter.finish() == 0);
  desk.reporter.say_no();
  CHECK(desk.reporter.finish() == 1);
  CHECK_FALSE(desk.reporter.failed());
  desk.reporter.fail({Errc::syntax, "bad", "bad"});
  CHECK(desk.reporter.finish() == status_of(Errc::syntax));
}

TEST_CASE("reporter: a note that is the answer is shown, five times, and never with -q") {
  const Finding answer = {
      .level = Level::note, .id = "false", .what = "is 404", .always = true};
  Desk desk, silent({.quiet = true});
  desk.reporter.report(answer);
  CHECK(desk.text() == "rehead: note: is 404\n");
  for (int i = 0; i < 9; ++i) desk.reporter.report(answer);
  CHECK(std::count(desk.text().begin(), desk.text().end(), '\n') == 5);
  silent.reporter.report(answer);
  CHECK(silent.text().empty());
}

TEST_CASE("reporter: entries are called so, with their half") {
  Desk desk;
  desk.reporter.begin_file("shop.har");
  desk.reporter.count_entries(true);
  desk.reporter.report({.level = Level::error,
                        .id = "x",
                        .what = "bad",
                        .byte = 9,
                        .message = 1207,
                        .half = Half::response});
  CHECK(desk.text() == "rehead: shop.har: entry 1207, response, byte 9: error: bad\n");
}

TEST_CASE("reporter: without a file there is no place") {
  Desk desk;
  desk.reporter.fail(
      {Errc::usage, "unknown-verb", "no verb called 'delfate'", "did you mean 'deflate'?"});
  CHECK(desk.text() ==
        "rehead: error: no verb called 'delfate'\n  hint: did you mean 'deflate'?\n");
  CHECK(desk.reporter.finish() == 2);
}

TEST_CASE("reporter: a kind of warning is shown five times per file, then counted") {
  Desk desk;
  for (const char* file : {"a", "b"}) {
    desk.reporter.begin_file(file);
    for (int i = 0; i < 7; ++i) desk.reporter.report(kWarning);
    desk.reporter.report({.id = "other", .what = "other"});
    desk.reporter.end_file({});
  }
  std::string wanted;
  for (const std::string file : {"a", "b"}) {
    for (int i = 0; i < 5; ++i) wanted += "rehead: " + file + ": warning: odd\n";
    wanted += "rehead: " + file + ": warning: other\n";
    wanted += "rehead: " + file + ": warning: 2 more of kind odd\n";
  }
  CHECK(desk.text() == wanted);
  CHECK(desk.reporter.finish() == 0);
}

TEST_CASE("reporter: quiet shows errors alone, verbose notes and a summary too") {
  const Finding note = {.level = Level::note, .id = "n", .what = "note"};
  const auto all = [&](Reporter::Style style) {
    Desk desk(style);
    desk.reporter.begin_file("f");
    desk.reporter.report(note);
    desk.reporter.report(kWarning);
    desk.reporter.fail({Errc::io, "e", "error"});
    desk.reporter.end_file({.read = 3, .written = 2});
    return desk.text();
  };
  CHECK(all({}) == "rehead: f: warning: odd\nrehead: f: error: error\n");
  CHECK(all({.quiet = true}) == "rehead: f: error: error\n");
  CHECK(all({.verbose = true}) ==
        "rehead: f: note: note\nrehead: f: warning: odd\nrehead: f: error: error\n"
        "rehead: f: note: messages: 3 read, 2 written\n");
}

TEST_CASE("reporter: the worst status counts, and failed files are named last") {
  Desk desk;
  for (const auto& [file, code] :
       {std::pair{"a", Errc::syntax}, std::pair{"b", Errc::io}, std::pair{"c", Errc::syntax}}) {
    desk.reporter.begin_file(file);
    desk.reporter.fail({code, "x", "x"});
    CHECK(desk.reporter.file_failed());
    desk.reporter.end_file({});
  }
  desk.reporter.begin_file("d");
  CHECK_FALSE(desk.reporter.file_failed());
  desk.reporter.end_file({});
  CHECK(desk.reporter.finish() == status_of(Errc::io));
  CHECK(desk.text().ends_with("rehead: 3 of 4 files failed (exit 6): a, b, c\n"));
}

TEST_CASE("reporter: a broken pipe is silent") {
  Desk desk;
  desk.reporter.begin_file("a");
  desk.reporter.fail({Errc::pipe, "pipe", "gone"});
  CHECK(desk.text().empty());
  CHECK(desk.reporter.finish() == 141);
}

TEST_CASE("reporter: no byte reaches a terminal that could do something there") {
  std::string every;
  for (int c = 1; c < 256; ++c) every += static_cast<char>(c);
  for (const bool json : {false, true}) {
    Desk desk({.json = json});
    for (const std::string& name :
         {every, std::string("caf\xC3\xA9\xC2\x9B"), std::string("\xFF")}) {
      desk.reporter.begin_file(name);
      desk.reporter.fail({Errc::io, "x", every, every});
      desk.reporter.end_file({});
    }
    desk.reporter.finish();
    const auto bad = std::ranges::find_if(desk.text(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return (byte < 0x20 && c != '\n') || byte == 0x7F;
    });
    CHECK(bad == desk.text().end());
    CHECK(desk.text().find("\xC2\x9B") == std::string::npos);
    CHECK(std::ranges::count(desk.text(), '\n') == (json ? 4 : 7));
  }
}

TEST_CASE("reporter: json gives one object a line with the members that are known") {
  Desk desk({.json = true});
  desk.reporter.begin_file("a\"b");
  desk.reporter.at(2);
  desk.reporter.report({.id = "odd", .what = "x", .hint = "y", .byte = 0, .line = 1});
  desk.reporter.count_entries(true);
  desk.reporter.report({.id = "odd", .what = "x", .half = Half::request});
  desk.reporter.begin_file({});
  desk.reporter.fail({Errc::usage, "u", "z"});
  CHECK(desk.text() ==
        "{\"level\":\"warning\",\"file\":\"a\\\"b\",\"message\":2,\"line\":1,\"byte\":0,"
        "\"code\":\"odd\",\"text\":\"x\"}\n"
        "{\"level\":\"warning\",\"file\":\"a\\\"b\",\"entry\":2,\"side\":\"request\","
        "\"code\":\"odd\",\"text\":\"x\"}\n"
        "{\"level\":\"error\",\"code\":\"u\",\"text\":\"z\"}\n");
}
