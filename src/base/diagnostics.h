// What is worth telling besides errors: warnings and notes. Who finds something reports it here
// without file name or message number; the pipeline adds those and decides what is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rehead {

enum class Level : std::uint8_t { error, warning, note };

struct Finding {
  Level level = Level::warning;
  Errc code = Errc::syntax;                // for Level::error: which exit status it stands for
  std::string_view id;                     // stable name for --errors json, kebab-case, static text
  std::string what;                        // one sentence; input bytes only through ascii::quoted()
  std::string hint = {};                   // the way out, or empty
  std::optional<std::uint64_t> byte = {};  // offset from 0 in the uncompressed input
  std::optional<std::uint64_t> line = {};  // line from 1
  std::uint64_t message = 0;               // from 1; 0 = the message that is being worked on
  Half half = Half::none;
  bool always = false;  // a note that is shown without -v too
  bool repair = false;  // of what is written: said only if it is
  bool each = false;    // said however often it occurs
};

class Diagnostics {
 public:
  virtual ~Diagnostics() = default;
  virtual void report(const Finding& finding) = 0;
  /// The answer is no (`test`, `get`, ...): exit status 1, which is no error.
  virtual void say_no() {}
  /// What a step did to this input, as members of a JSON object, for the file that collects it.
  virtual void receipt(std::string) {}
  /// How often `id` was found in this file, shown or not.
  virtual std::uint64_t times(std::string_view) const { return 0; }
};

}  // namespace rehead
