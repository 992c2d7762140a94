// What the program says about itself, from the tables of verbs, options and formats.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace rehead::cli {

/// --help: one screen.
std::string help_text();
/// For a terminal on which nothing was asked for.
std::string short_help();
/// `help WORD`: a verb or a topic; an empty word is help_text().
Result<std::string> help_on(std::string_view word);
/// --version: the version, then what it was built with.
std::string version_text();

}  // namespace rehead::cli
