#include "cli/suggest.h"

#include "cli/verbs.h"

#include <array>
#include <catch2/catch.hpp>

using namespace rehead::cli;

TEST_CASE("suggest: distance counts letters more, less, other, and neighbours swapped") {
  CHECK(distance("", "") == 0);
  CHECK(distance("abc", "") == 3);
  CHECK(distance("", "abc") == 3);
  CHECK(distance("delfate", "deflate") == 1);
  CHECK(distance("remove", "remvoe") == 1);
  CHECK(distance("chunk", "chunks") == 1);
  CHECK(distance("sort", "set") == 2);
}

TEST_CASE("suggest: the nearest word wins, and far ones are not offered") {
  constexpr std::array<std::string_view, 3> kWords = {"deflate", "inflate", "gzip"};
  CHECK(nearest("delfate", kWords) == "deflate");
  CHECK(nearest("inflte", kWords) == "inflate");
  CHECK(nearest("zip", kWords) == "gzip");
  CHECK(nearest("captures", kWords).empty());
  CHECK(nearest("", kWords).empty());
  CHECK(nearest(std::string(1 << 20, 'g'), kWords).empty());
}

TEST_CASE("suggest: other tools' words lead to the verb that does it") {
  for (const std::string_view word : {"delete", "del", "rm", "unset"}) {
    CAPTURE(word);
    CHECK(hint_for_verb(word) == "'remove NAMES' does that");
  }
  for (const std::string_view word :
       {"version", "check", "diff", "assert", "har", "curl", "json", "headers", "append", "brotli",
        "strip", "normalize", "filter", "select", "grep", "decompress", "gunzip", "decode", "compress",
        "sanitize", "scrub", "mask", "replace", "uniq", "tail", "wc", "head", "chunked", "show", "list",
        "cat", "find", "match", "edit", "put", "insert", "update", "validate", "verify", "convert",
        "cookies", "status", "url", "request", "responses", "dedupe", "split", "merge", "limit", "skip",
        "take", "unzip", "Delete", "GREP", "lowercase", "fix", "extract", "body-size", "size", "type"}) {
    CAPTURE(word);
    if (find_verb(word) == nullptr && word != "body-size") CHECK_FALSE(hint_for_verb(word).empty());
  }
  CHECK(hint_for_verb("zzzz").empty());
  CHECK(hint_for_verb("remvoe") == "did you mean 'remove'?");
  CHECK(hint_for_verb("hlep") == "did you mean 'help'?");
  CHECK(hint_for_verb("the") == "'then' stands between two verbs");
}

TEST_CASE("suggest: words are echoed in single quotes if they are plain") {
  CHECK(echo("x y") == "'x y'");
  CHECK(echo("it's") == "\"it's\"");
  CHECK(echo("\x1b]0;x\x07") == "\"\\x1b]0;x\\x07\"");
  CHECK(echo(std::string(100, 'x')).size() == 65);
}
