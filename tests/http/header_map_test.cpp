#include "http/header_map.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/allocations.h"

namespace rehead::http {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs pairs_of(const HeaderMap& map) {
  Pairs pairs;
  for (const Field& field : map) pairs.emplace_back(field.name(), field.value());
  return pairs;
}

void load(HeaderMap& map, std::string_view line) {
  const std::size_t colon = line.find(':');
  map.load({.name_at = line.data(),
            .value_at = line.data() + colon + 2,
            .name_size = static_cast<std::uint32_t>(colon),
            .value_size = static_cast<std::uint32_t>(line.size() - colon - 4),
            .line_size = static_cast<std::uint32_t>(line.size()),
            .flags = Field::clean});
}

/// All lines of `text` at once.
void load_lines(HeaderMap& map, std::string_view text, std::size_t number) {
  REQUIRE(map.load_lines(number, [&](Field& field) {
    const std::size_t colon = text.find(':');
    const std::size_t end = text.find('\n') + 1;
    field.name_at = text.data();
    field.value_at = text.data() + colon + 2;
    field.name_size = static_cast<std::uint32_t>(colon);
    field.value_size = static_cast<std::uint32_t>(end - colon - 4);
    field.line_size = static_cast<std::uint32_t>(end);
    text.remove_prefix(end);
    return true;
  }));
}

/// The fields as they would leave: ranges around what was edited, that one by one.
std::string written(const HeaderMap& map) {
  const HeaderMap::Edited edited = map.edited();
  std::string text(edited.before);
  for (auto field = edited.first; field != edited.last; ++field) text += field->line();
  return text.append(edited.behind);
}

/// The plain reading of the map's contract, on a vector of strings.
struct Model {
  Pairs pairs;

  void append(const std::string& name, const std::string& value) {
    std::size_t at = pairs.size();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (ascii::equal(pairs[i].first, name)) at = i + 1;
    }
    pairs.insert(pairs.begin() + static_cast<std::ptrdiff_t>(at), {name, value});
  }
  void set(const std::string& name, const std::string& value) {
    bool placed = false;
    for (std::size_t i = 0; i < pairs.size();) {
      if (!ascii::equal(pairs[i].first, name)) {
        ++i;
      } else if (!placed) {
        pairs[i++] = {name, value};
        placed = true;
      } else {
        pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    if (!placed) pairs.emplace_back(name, value);
  }
  void remove(const std::string& name) {
    std::erase_if(pairs, [&](const auto& pair) { return ascii::equal(pair.first, name); });
  }
  /// Every second field of that name becomes `values`.
  void replace_some(const std::string& name, const std::vector<std::string>& values) {
    Pairs out;
    bool hit = false;
    for (const auto& pair : pairs) {
      const bool same = ascii::equal(pair.first, name);
      if (same) hit = !hit;
      if (!same || !hit) {
        out.push_back(pair);
        continue;
      }
      for (const std::string& value : values) out.emplace_back(name, value);
    }
    pairs = out;
  }
  void sort() {
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
      return ascii::lowered(a.first) < ascii::lowered(b.first);
    });
  }
  std::string written() const {
    std::string text;
    for (const auto& [name, value] : pairs) text.append(name).append(": ").append(value + "\r\n");
    return text;
  }
  void rename(const std::string& from, const std::string& to) {
    for (auto& pair : pairs) {
      if (ascii::equal(pair.first, from)) pair.first = to;
    }
  }
};

TEST_CASE("header_map: random operations agree with a plain vector") {
  std::mt19937 random(20090210);
  const std::vector<std::string> names = {"A",           "a",           "Host",       "HOST",
                                          "X-Long-Name", "x-long-name", "Set-Cookie", "set-cookie",
                                          "Vary",        "^",           "~"};
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 200; ++round) {
    Arena arena;
    HeaderMap map(arena);
    Model model;
    for (std::size_t i = pick(60); i > 0; --i) {
      model.pairs.emplace_back(names[pick(names.size())], "v" + std::to_string(i));
    }
    // Lines side by side, all at once or one by one; or with a gap between them.
    const std::string gap = round % 3 == 0 ? "dropped\r\n" : "";
    std::string text;
    text.reserve(60 * 40);
    for (const auto& [name, value] : model.pairs) {
      const std::size_t at = text.size();
      text.append(name).append(": ").append(value + "\r\n");
      if (round % 3 != 2) load(map, std::string_view(text).substr(at));
      text += gap;
    }
    if (round % 3 == 2) load_lines(map, text, model.pairs.size());
    REQUIRE(written(map) == model.written());
    for (int step = 0; step < 40; ++step) {
      const std::string name = names[pick(names.size())];
      const std::string other = names[pick(names.size())];
      const std::string value = "n" + std::to_string(step);
      switch (pick(9)) {
        case 0:
          REQUIRE(map.append(name, value));
          model.append(name, value);
          break;
        case 1:
          REQUIRE(map.set(name, value));
          model.set(name, value);
          break;
        case 2:
          map.remove(name);
          model.remove(name);
          break;
        case 3:
          REQUIRE(map.rename(name, other));
          model.rename(name, other);
          break;
        case 4: {
          const std::vector<std::string> values(pick(4), value);
          const std::vector<std::string_view> views(values.begin(), values.end());
          std::vector<Replacement> replacements;
          bool hit = false;
          map.for_each(name, [&](const Field& field) {
            hit = !hit;
            if (hit) replacements.push_back({&field, name, views});
          });
          REQUIRE(map.replace(replacements));
          model.replace_some(name, values);
          break;
        }
        case 5:
          map.stable_sort([](const Field& a, const Field& b) {
            return ascii::lowered(a.name()) < ascii::lowered(b.name());
          });
          model.sort();
          break;
        case 6: {
          if (const Field* field = map.find(name)) {
            const std::vector<std::string_view> values = {"one", "two"};
            REQUIRE(map.replace(*field, name, values));
            auto at = std::find_if(model.pairs.begin(), model.pairs.end(), [&](const auto& pair) {
              return ascii::equal(pair.first, name);
            });
            *at = {name, "one"};
            model.pairs.insert(at + 1, {name, "two"});
          }
          break;
        }
        case 7: {
          HeaderMap more(arena);
          for (std::size_t i = pick(6); i > 0; --i) {
            const std::string& added = names[pick(names.size())];
            const std::string one = value + "-" + std::to_string(i);
            REQUIRE(more.append(added, one));
          }
          REQUIRE(map.append(more));
          for (const Field& field : more) {
            model.append(std::string(field.name()), std::string(field.value()));
          }
          break;
        }
        default: {
          map.remove_if([&](const Field& field) { return field.value() == "v7"; });
          std::erase_if(model.pairs, [](const auto& pair) { return pair.second == "v7"; });
        }
      }
      REQUIRE(pairs_of(map) == model.pairs);
      REQUIRE(map.size() == model.pairs.size());
      REQUIRE(written(map) == model.written());
      std::size_t counted = 0;
      map.for_each(name, [&](const Field&) { ++counted; });
      std::size_t expected = 0;
      for (const auto& pair : model.pairs) expected += ascii::equal(pair.first, name) ? 1U : 0U;
      REQUIRE(counted == expected);
    }
  }
}

TEST_CASE("header_map: append then remove leaves no trace") {
  Arena arena;
  HeaderMap map(arena);
  load(map, "Host: h\r\n");
  const Pairs before = pairs_of(map);
  REQUIRE(map.append("X-New", "1"));
  REQUIRE(map.remove("x-new") == 1);
  REQUIRE(pairs_of(map) == before);
}

TEST_CASE("header_map: refuses bytes that would break framing") {
  Arena arena;
  HeaderMap map(arena);
  for (const std::string_view value : {"a\rb", "a\nb", "a\r\nEvil: 1"}) {
    REQUIRE_FALSE(map.append("X", value));
    REQUIRE_FALSE(map.set("X", value));
  }
  REQUIRE_FALSE(map.set("X", std::string_view("a\0b", 3)));
  for (const std::string_view name : {"", "a b", "a:", "a\r", "\xc3\xa4"}) {
    REQUIRE_FALSE(map.set(name, "v"));
  }
  REQUIRE(map.empty());
}

TEST_CASE("header_map: sorting what is in order is no change") {
  Arena arena;
  HeaderMap map(arena);
  const auto by_name = [](const Field& a, const Field& b) { return a.name() < b.name(); };
  load(map, "A: 1\r\n");
  load(map, "B: 2\r\n");
  map.stable_sort(by_name);
  REQUIRE_FALSE(map.changed());
  load(map, "A: 3\r\n");
  map.stable_sort(by_name);
  REQUIRE(map.changed());
  REQUIRE(pairs_of(map) == Pairs{{"A", "1"}, {"A", "3"}, {"B", "2"}});
}

TEST_CASE("header_map: a refused replacement changes nothing") {
  Arena arena;
  HeaderMap map(arena);
  load(map, "A: 1\r\n");
  load(map, "B: 2\r\n");
  const std::vector<std::string_view> good = {"x", "y"};
  const std::vector<std::string_view> bad = {"x\ny"};
  REQUIRE_FALSE(
      map.replace(std::vector<Replacement>{{map.find("A"), "A", good}, {map.find("B"), "B", bad}}));
  REQUIRE(pairs_of(map) == Pairs{{"A", "1"}, {"B", "2"}});
  REQUIRE_FALSE(map.changed());
}

TEST_CASE("header_map: rename keeps a value that could not be written, and its mark") {
  Arena arena;
  HeaderMap map(arena);
  const std::string text = "X\r\n";
  map.load({.name_at = text.data(),
            .value_at = text.data(),
            .name_size = 1,
            .value_size = 3,
            .flags = Field::odd});
  REQUIRE(map.rename("x", "Y").value() == 1);
  REQUIRE(map.find("Y")->has(Field::odd));
  REQUIRE_FALSE(map.find("Y")->has(Field::clean));
  REQUIRE(map.find("Y")->value() == "X\r\n");
}

TEST_CASE("header_map: nothing that one message made it grow stays grown for the next") {
  Arena arena;
  HeaderMap map(arena);
  std::uint64_t taken = 0;
  for (int round = 0; round < 5'000; ++round) {
    map.clear();
    arena.reset();
    const std::uint64_t before = test::allocations();
    load(map, "Host: h\r\nX: 1\r\n");
    REQUIRE(map.append("X", "2"));
    REQUIRE(map.set("Y", "3"));
    REQUIRE(map.find("Y") != nullptr);
    if (round >= 100) taken += test::allocations() - before;
  }
  CHECK(taken == 0);
}

TEST_CASE("header_map: set to the same spelling and value is no change") {
  Arena arena;
  HeaderMap map(arena);
  load(map, "Host: h\r\n");
  REQUIRE(map.set("Host", "h"));
  REQUIRE_FALSE(map.changed());
  REQUIRE(map.set("host", "h"));
  REQUIRE(map.changed());
}

}  // namespace
}  // namespace rehead::http
