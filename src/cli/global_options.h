// The options of the program, one row each: what is typed, what help says, what it sets.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/options.h"
#include "pipeline/batch.h"
#include "pipeline/reporter.h"

namespace rehead::cli {

/// What the options say, defaults filled in.
struct Settings {
  Job job;  // without its files
  Reporter::Style style;
  std::optional<http::EolMode> eol;  // --eol; none: as the kind of output wants it
  std::string chain_file;
  bool plan = false;
  bool stats = false;
  bool help = false;
  bool version = false;
};

struct GlobalOption {
  std::string_view name;
  char letter;             // '\0': there is no short form
  bool everyday;           // stands in --help, not only in `help options`
  std::string_view value;  // how it is called in help; empty for a flag
  std::string_view help;   // one line
  Status (*apply)(Settings& settings, std::string_view value);
  std::string_view choices = {};  // what the value may be, separated by commas; empty if anything
};

std::span<const GlobalOption> global_options();

/// The same rows as Options takes them.
const Options& global_parser();

/// What the words of Words::globals say. As far as it gets: `settings` holds what was understood.
Status apply_options(const std::vector<std::string>& words, Settings& settings);

}  // namespace rehead::cli
