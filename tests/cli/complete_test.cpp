#include "cli/complete.h"

#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "cli/global_options.h"
#include "cli/topics.h"
#include "cli/verbs.h"
#include "format/formats.h"
#include "http/pseudo_field.h"

using namespace rehead;
using namespace rehead::cli;

namespace {

using Strings = std::vector<std::string>;
using Set = std::set<std::string>;

/// What is offered for the last of `words`, without descriptions.
Set offered(const Strings& words) {
  std::istringstream lines(complete(words));
  Set out;
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(words, line);
    CHECK(line.find('\t') == line.rfind('\t'));
    CHECK(out.insert(line.substr(0, line.find('\t'))).second);
  }
  return out;
}

template <typename Rows>
Set names_of(const Rows& rows, const std::string& dashes = "") {
  Set out;
  for (const auto& row : rows) out.insert(dashes + std::string(row.name));
  return out;
}

Set with(Set set, const Strings& more) {
  set.insert(more.begin(), more.end());
  return set;
}

/// The words of a comma list.
Strings split(std::string_view list) {
  std::istringstream words{std::string(list)};
  Strings out;
  for (std::string word; std::getline(words, word, ',');) out.push_back(word);
  return out;
}

}  // namespace

TEST_CASE("complete: a verb, help or a file stands first; behind then, a verb") {
  const Set all = names_of(verbs());
  CHECK(offered({}) == with(all, {"help", "files"}));
  CHECK(offered({""}) == with(all, {"help", "files"}));
  CHECK(offered({"--json", ""}) == with(all, {"help", "files"}));
  CHECK(offered({"lower", "then", ""}) == all);
  CHECK(offered({"remove", "then", "then", "inf"}) == Set{"inflate"});
  CHECK(offered({"a.http", ""}) == Set{"files"});
}

TEST_CASE("complete: behind a verb its argument, then 'then' and files") {
  CHECK(offered({"remove", "serv"}) == Set{"server", "server-timing"});
  CHECK(offered({"remove", "server", ""}) == Set{"then", "files"});
  CHECK(offered({"lower", ""}) == Set{"then", "files"});
  CHECK(offered({"lower", "a.http", ""}) == Set{"files"});
  CHECK(offered({"first", ""}).empty());
  CHECK(offered({"remove-cookie", "se"}).empty());
}

TEST_CASE("complete: options of the verb typed and of the program, where they may stand") {
  Set global;
  for (const GlobalOption& option : global_options()) {
    if (option.apply != nullptr) global.insert("--" + std::string(option.name));
  }
  CHECK(offered({"-"}) == global);
  CHECK(offered({"a.http", "--"}) == global);
  for (const Verb& verb : verbs()) {
    CAPTURE(verb.name);
    Set both = names_of(verb.options, "--");
    both.insert(global.begin(), global.end());
    CHECK(offered({std::string(verb.name), "-"}) == both);
    CHECK(offered({std::string(verb.name), "then", "then", "-"}) == global);
  }
  CHECK(offered({"--", "-"}) == Set{"files"});
}

TEST_CASE("complete: every choice that is offered is taken, and the options refuse any other") {
  for (const GlobalOption& option : global_options()) {
    if (option.apply == nullptr || option.value.empty()) continue;
    const std::string name = "--" + std::string(option.name);
    CAPTURE(name);
    const Set values = offered({name, ""});
    CHECK(offered({name + "="}).size() == values.size());
    if (option.letter != '\0') CHECK(offered({std::string("-q") + option.letter, ""}) == values);
    std::string listed;
    for (const std::string& value : split(option.choices)) {
      Settings settings;
      CHECK(option.apply(settings, value));
      CHECK(values.contains(value));
      listed += (listed.empty() ? "" : ", ") + value;
    }
    Settings settings;
    auto refused = option.apply(settings, "no such thing");
    const bool closed =
        !refused && refused.error().what.find(" takes one of ") != std::string::npos;
    CHECK(closed == (!option.choices.empty() || option.value == "FMT"));
    if (!option.choices.empty()) CHECK(refused.error().what.find(listed) != std::string::npos);
  }
  const http::Policy policy;
  for (const Verb& verb : verbs()) {
    for (const transform::Option& option : verb.options) {
      const std::string name(option.name);
      CAPTURE(verb.name, name);
      Strings values = split(option.choices);
      CHECK((values.empty() || offered({std::string(verb.name), "--" + name, ""}) ==
                                   Set(values.begin(), values.end())));
      const auto made = [&](const std::string& value) {
        const transform::Arguments arguments{
            .argument = {}, .options = {{name, value}}, .selection = {}, .policy = &policy};
        return verb.report != nullptr ? verb.report->make(arguments).has_value()
                                      : verb.step->make(arguments).has_value();
      };
      for (const std::string& value : values) CHECK(made(value));
      if (!values.empty()) CHECK_FALSE(made("no such thing"));
    }
  }
}

TEST_CASE("complete: formats are those that can be read, or written") {
  Set read = {"auto"};
  Set written = {"auto"};
  for (const format::FormatInfo& format : format::all()) {
    if (format.make_source != nullptr) read.insert(std::string(format.name));
    if (format.make_sink != nullptr) written.insert(std::string(format.name));
  }
  CHECK(offered({"-f", ""}) == read);
  CHECK(offered({"--to", ""}) == written);
  CHECK(offered({"lower", "-t", "he"}) == Set{"headers"});
  CHECK(offered({"--to=he"}) == Set{"--to=headers"});
}

TEST_CASE("complete: verbs and topics behind help, once") {
  Set all = names_of(verbs());
  all.merge(names_of(topics()));
  CHECK(offered({"help", ""}) == with(all, {"options"}));
  CHECK(offered({"help", "framing", ""}).empty());
}

TEST_CASE("complete: names in lists, in any case, of either half") {
  CHECK(offered({"keep", "server,x-p"}) == Set{"server,x-powered-by"});
  CHECK(offered({"keep", "X-Pow"}) == Set{"X-Powered-by"});
  CHECK(offered({"keep", "date,req:user"}) == Set{"date,req:user-agent"});
  CHECK(offered({"keep", "re"}) ==
        Set{"req:", "res:", "referer", "referrer-policy", "retry-after"});
  CHECK(offered({"set", "Cache"}) == Set{"Cache-Control:"});
  CHECK(offered({"add", "--if", "x", "req:Cook"}) == Set{"req:Cookie:"});
  CHECK(offered({"rename", "Via"}) == Set{"Via="});
  CHECK(offered({"rename", "Via=forw"}) == Set{"Via=forwarded"});
  CHECK(offered({"sub", "Locat"}) == Set{"Location:"});
}

TEST_CASE("complete: pseudo-fields in get and in expressions") {
  CHECK(offered({"get", ":st"}) == Set{":status"});
  CHECK(offered({"remove", ":st"}).empty());
  CHECK(offered({"where", "stat"}) == Set{"status"});
  CHECK(offered({"where", "not (status=200 or typ"}) == Set{"not (status=200 or type"});
  CHECK(offered({"where", "has:serv"}) == Set{"has:server", "has:server-timing"});
  CHECK(offered({"lower", "--if", "kin"}) == Set{"kind"});
  const Set fields = offered({"test", ""});
  for (const std::string_view name : http::pseudo_fields())
    CHECK(fields.contains(std::string(name)));
}

TEST_CASE("complete: files behind @, folders where a folder is meant") {
  CHECK(offered({"body", "@da"}) == Set{"files @"});
  CHECK(offered({"body", "da"}).empty());
  CHECK(offered({"-o", "da"}) == Set{"files"});
  CHECK(offered({"--output=da"}) == Set{"files --output="});
}

TEST_CASE("complete: nothing behind what is not understood") {
  CHECK(offered({"no-such-verb", ""}).empty());
  CHECK(offered({"remove", "--no-such-option", ""}).empty());
  CHECK(offered({"remove", "x", "then", "--", ""}).empty());
}
