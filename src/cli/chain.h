// Typed words told apart: options of the program, the chain of steps, files. Spec section 1:
//   1. Every verb takes exactly none or exactly one argument, which never begins with "-"; options
//   of
//      the verb stand directly before or after it.
//   2. The chain comes first, files last. Without a verb, a first word that contains "." or "/", or
//   is
//      "-", is a file; any other word must be a verb. "--" ends everything.
//   3. Options of the program stand anywhere before "--".
// Purely lexical: no file is looked at.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/verbs.h"

namespace rehead::cli {

/// One step as typed.
struct Step {
  const Verb* verb = nullptr;
  std::string argument;
  Values options;
};

struct Words {
  std::vector<std::string> globals;  // options of the program with their values, as typed
  std::vector<Step> steps;
  std::vector<std::string> files;
  bool help = false;  // the first word is "help"
  std::string topic;  // the word after it, if any
};

/// Fills `words` as far as it gets; what was understood before an Error stands.
Status split(std::span<const std::string> args, const Options& globals, Words& words);

enum class Place : std::uint8_t {
  start,       // a verb, "help" or a file
  after_then,  // a verb
  step,        // the argument of a verb, or what may follow it
  files,       // a file
  help,        // a verb or a topic
  nowhere,     // what stands before is not understood, or complete
};

/// Where the word behind some others would stand.
struct Cursor {
  Place place = Place::start;
  const Verb* verb = nullptr;   // of the step being typed
  bool wants_argument = false;  // of that verb
  std::string option = {};      // as typed: the word would be its value
};
Cursor find_cursor(std::span<const std::string> args, const Options& globals);

/// Refuses a chain whose order cannot be meant: a report that is not the last.
Status check_order(std::span<const Step> steps);

}  // namespace rehead::cli
