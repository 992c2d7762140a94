#include "cli/verbs.h"

#include <algorithm>
#include <vector>

namespace rehead::cli {

std::span<const Verb> verbs() {
  static const std::vector<Verb> all = [] {
    std::vector<Verb> rows;
    for (const transform::TransformInfo* step : transform::all()) {
      rows.push_back({step->name, step->argument, step->options, step->group, step->summary,
                      step->help, step->examples, step->side, step});
    }
    return rows;
  }();
  return all;
}

const Verb* find_verb(std::string_view name) {
  const auto found = std::ranges::find(verbs(), name, &Verb::name);
  return found == verbs().end() ? nullptr : &*found;
}

}  // namespace rehead::cli
