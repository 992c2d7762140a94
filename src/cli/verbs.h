// Everything that can be typed as a verb, as the command line, help and completion see it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "transform/transform.h"

namespace rehead::cli {

struct Verb {
  std::string_view name;
  std::string_view argument;  // how it is called in help; empty if the verb takes none
  std::vector<transform::Option> options;  // with those all verbs of its kind share
  std::string_view group;
  std::string_view summary;
  std::string_view help;
  std::span<const std::string_view> examples;
  http::Side side;                       // default side in an exchange
  const transform::TransformInfo* step = nullptr;  // its row in the table of steps, or
  const report::ReportInfo* report = nullptr;      // its row in the table of reports
};

/// All verbs, in the order of help.
std::span<const Verb> verbs();
/// The verb of that name, or null.
const Verb* find_verb(std::string_view name);

}  // namespace rehead::cli
