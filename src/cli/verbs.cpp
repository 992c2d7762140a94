#include "cli/verbs.h"

#include <algorithm>
#include <vector>

#include "transform/step.h"

namespace rehead::cli {

std::span<const Verb> verbs() {
  static const std::vector<Verb> all = [] {
    std::vector<Verb> rows;
    for (const transform::TransformInfo* step : transform::all()) {
      std::vector<transform::Option> options(step->options.begin(), step->options.end());
      options.push_back(transform::kIf);
      rows.push_back({step->name, step->argument, std::move(options), step->group, step->summary,
                      step->help, step->examples, step->side, step, nullptr});
    }
    for (const report::ReportInfo* report : report::all()) {
      rows.push_back({report->name,
                      report->argument,
                      {report->options.begin(), report->options.end()},
                      "reports",
                      report->summary,
                      report->help,
                      report->examples,
                      report->side,
                      nullptr,
                      report});
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
