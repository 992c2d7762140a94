#include "cli/command.h"

#include <catch2/catch.hpp>

using namespace rehead;
using namespace rehead::cli;

namespace {

using Strings = std::vector<std::string>;

struct Typed {
  explicit Typed(const Strings& args, bool terminal = false)
      : done(parse(args, terminal, reporter, command)) {}
  MemorySink err;
  Reporter reporter{err, [](Errc code) { return static_cast<int>(code); }};
  Command command;
  Status done;
  std::string what() const { return done ? "" : done.error().what; }
};

}  // namespace

TEST_CASE("command: steps are made before anything is read, their errors carry the verb") {
  Typed good({"-q", "remove", "x", "then", "remove", "y", "a.http"});
  REQUIRE(good.what() == "");
  CHECK(good.command.kind == Command::Kind::run);
  CHECK(good.command.chain.size() == 2);
  CHECK(good.command.job.files == Strings{"a.http"});
  CHECK(Typed({"remove", "a.har"}).what() ==
        "remove: field names are missing: \"a.har\" looks like a file");
}

TEST_CASE("command: help answers whatever else was typed") {
  for (const Strings& args : {Strings{"--help"}, Strings{"-h", "--jobs", "2"},
                              Strings{"nonsense", "--help"}, Strings{"--help", "nonsense"}}) {
    CAPTURE(args);
    Typed typed(args);
    if (!typed.done) {
      CHECK(args[0] == "nonsense");  // what stands behind a wrong word is not read
      continue;
    }
    CHECK(typed.command.kind == Command::Kind::print);
    CHECK(typed.command.text.starts_with("usage: rehead"));
  }
  Typed verb({"remove", "--help"});
  REQUIRE(verb.done);
  CHECK(verb.command.text.starts_with("rehead remove NAMES\n"));
  Typed topic({"help", "framing"});
  REQUIRE(topic.done);
  CHECK(topic.command.text.find("--split") != std::string::npos);
}

TEST_CASE("command: on a terminal without a file nothing is waited for") {
  Typed typed({"remove", "x"}, true);
  REQUIRE(typed.done);
  CHECK(typed.command.kind == Command::Kind::explain);
  CHECK(Typed({"remove", "x", "-"}, true).command.kind == Command::Kind::run);
}

TEST_CASE("command: a missing file named like a verb is a chain in the wrong place") {
  CHECK(Typed({"remove", "x", "a.http", "then", "remove", "y"}).what() == "no file called 'then'");
  CHECK(Typed({"remove", "x", "remove"}).what() == "no file called 'remove'");
  CHECK(Typed({"remove", "x", "missing.http"}).done);
  CHECK(Typed({"remove", "x", "date", "a.http"}).what() == "no file called 'date'");
  CHECK(Typed({"-I", "set", "Cache-Control:", "no-store", "a.http"}).what() ==
        "no file called 'no-store'");
}

TEST_CASE("command: -s covers the chain, so it does not stand between its steps") {
  const std::string between = "-s between the steps of a chain";
  CHECK(Typed({"remove", "x", "-s", "request", "then", "lower"}).what() == between);
  CHECK(Typed({"remove", "x", "then", "-srequest", "lower"}).what() == between);
  CHECK(Typed({"-s", "both", "remove", "x", "then", "--side=both", "lower"}).what() == between);
  for (const char* words : {"-s", "--side"}) {
    CHECK(Typed({words, "both", "remove", "x", "then", "lower", "a.http"}).done);
    CHECK(Typed({"remove", "x", "then", "lower", words, "both", "a.http"}).done);
    CHECK(Typed({"remove", "x", "then", "lower", "a.http", words, "both"}).done);
    CHECK(Typed({"remove", words, "both", "x", "a.http"}).done);
  }
}

TEST_CASE("command: a plan is printed, nothing is looked at") {
  Typed typed({"--plan", "remove", "\"a b\"", "then", "remove", "c", "missing"});
  REQUIRE(typed.done);
  CHECK(typed.command.kind == Command::Kind::print);
  CHECK(typed.command.text ==
        "remove '\"a b\"'                          # both sides, heads only\n"
        "remove c                                # both sides, heads only\n");
  CHECK(Typed({"--plan", "-s", "request", "remove", "c"}).command.text.find("# requests") !=
        std::string::npos);
}

TEST_CASE("command: a chain file that cannot be read is told by its name") {
  Typed typed({"-c", "/nonexistent/chain"});
  REQUIRE_FALSE(typed.done);
  typed.reporter.fail(typed.done.error());
  CHECK(typed.err.text() ==
        "rehead: /nonexistent/chain: error: cannot open: No such file or directory\n");
}

TEST_CASE("command: options that cannot go together are refused") {
  CHECK(Typed({"--no-body", "-"}).what() == "--no-body goes with --json");
}
