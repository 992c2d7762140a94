#include "cli/chain.h"

#include <catch2/catch.hpp>
#include <set>

#include "cli/global_options.h"

using namespace rehead;
using namespace rehead::cli;

namespace {

using Strings = std::vector<std::string>;

/// The split of a command line that must be right.
Words good(const Strings& args) {
  Words words;
  auto done = split(args, global_parser(), words);
  CAPTURE(args);
  REQUIRE((done ? "" : done.error().what) == "");
  return words;
}

/// The error of a command line that must be wrong: what, then the hint.
std::pair<std::string, std::string> bad(const Strings& args) {
  Words words;
  auto done = split(args, global_parser(), words);
  CAPTURE(args);
  REQUIRE_FALSE(done);
  CHECK(done.error().code == Errc::usage);
  return {done.error().what, done.error().hint};
}

}  // namespace

TEST_CASE("chain: files come after the argument of the last verb") {
  const Words words = good({"remove", "server", "a.http", "b"});
  REQUIRE(words.steps.size() == 1);
  CHECK(words.steps[0].verb->name == "remove");
  CHECK(words.steps[0].argument == "server");
  CHECK(words.files == Strings{"a.http", "b"});
}

TEST_CASE("chain: then joins steps, and only behind a complete one") {
  const Words words = good({"remove", "then", "then", "remove", "x"});
  REQUIRE(words.steps.size() == 2);
  CHECK(words.steps[0].argument == "then");
  CHECK(words.steps[1].argument == "x");
  CHECK(bad({"remove", "x", "then"}).first == "a verb is missing after 'then'");
  CHECK(bad({"remove", "x", "then", "--", "f"}).first == "a verb is missing after 'then'");
  CHECK(bad({"then", "remove", "x"}).first == "no verb called 'then'");
}

TEST_CASE("chain: a file named then stays a file once the files have begun") {
  const Words words = good({"remove", "x", "a.http", "then", "remove", "y"});
  CHECK(words.steps.size() == 1);
  CHECK(words.files == Strings{"a.http", "then", "remove", "y"});
}

TEST_CASE("chain: without a verb a first word with a dot or slash, or a dash alone, is a file") {
  CHECK(good({"a.http", "remove"}).files == Strings{"a.http", "remove"});
  CHECK(good({"./remove"}).files == Strings{"./remove"});
  CHECK(good({"-"}).files == Strings{"-"});
  CHECK(good({"--", "remove"}).files == Strings{"remove"});
  CHECK(good({}).files.empty());
  CHECK(bad({"captures"}).first == "no verb called 'captures'");
}

TEST_CASE("chain: options of the program stand anywhere before --") {
  for (const Strings& args :
       {Strings{"-q", "remove", "x", "f"}, Strings{"remove", "-q", "x", "f"},
        Strings{"remove", "x", "-q", "f"}, Strings{"remove", "x", "f", "-q"}}) {
    const Words words = good(args);
    CHECK(words.globals == Strings{"-q"});
    CHECK(words.files == Strings{"f"});
  }
  const Words words = good({"remove", "x", "then", "-q", "remove", "y"});
  CHECK(words.steps.size() == 2);
  CHECK(good({"remove", "x", "--", "-q"}).files == Strings{"-q"});
}

TEST_CASE("chain: the value of an option is the next word whatever it looks like") {
  CHECK(good({"-o", "-", "-"}).globals == Strings{"-o", "-"});
  CHECK(good({"-o", "--", "a.b"}).globals == Strings{"-o", "--"});
  CHECK(good({"-qo", "then", "a.b"}).globals == Strings{"-qo", "then"});
  CHECK(good({"--output=x", "a.b"}).files == Strings{"a.b"});
  CHECK(good({"-ox", "a.b"}).files == Strings{"a.b"});
  CHECK(bad({"-o"}).first == "'-o' needs a value");
  CHECK(bad({"--quiet=yes"}).first == "--quiet takes no value");
}

TEST_CASE("chain: an argument never begins with a dash") {
  CHECK(bad({"remove", "--", "x"}).first == "remove needs an argument: remove NAMES");
  CHECK(bad({"remove"}).first == "remove needs an argument: remove NAMES");
  CHECK(bad({"remove", "-x"}).first == "no option '-x'");
}

TEST_CASE("chain: what is wrong is echoed without control bytes") {
  CHECK(bad({"a\x1b[2Jb"}).first == "no verb called \"a\\x1b[2Jb\"");
  CHECK(bad({"--x\n"}).first == "no option \"--x\\x0a\"");
}

TEST_CASE("chain: help takes one word") {
  CHECK(good({"help"}).help);
  CHECK(good({"help", "remove"}).topic == "remove");
  CHECK(bad({"help", "remove", "more"}).first == "help takes one verb or topic");
}

TEST_CASE("chain: no option of a verb shares its name with one of the program") {
  std::set<std::string_view> names;
  for (const GlobalOption& option : global_options()) CHECK(names.insert(option.name).second);
  for (const Verb& verb : verbs()) {
    for (const transform::Option& option : verb.options) {
      CAPTURE(verb.name, option.name);
      CHECK_FALSE(names.contains(option.name));
    }
  }
}

TEST_CASE("chain: no verb is a word of the chain, none could be taken for a file or an option") {
  for (const Verb& verb : verbs()) {
    CAPTURE(verb.name);
    CHECK(verb.name != "then");
    CHECK(verb.name != "help");
    CHECK(verb.name.find_first_of("./") == std::string_view::npos);
    CHECK(verb.name.front() != '-');
  }
}
