// A chain as text: what -c reads and --plan prints. One step per line, # comments, quotes and
// backslashes as in a shell, a line break is "then".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/chain.h"

namespace rehead::cli {

/// A step and the line (from 1) it stands on.
struct Line {
  Step step;
  std::uint64_t number = 0;
};

/// Errors carry their line.
/// A first line `-s WHICH` sets `side`.
Result<std::vector<Line>> read_chain(std::string_view text, std::optional<http::Side>& side);

/// The chain in that very form, each line with a comment on what the step touches; `side` as typed.
std::string chain_text(std::span<const Step> steps, std::optional<http::Side> side);

/// A word as a shell and read_chain() take it back.
std::string shell_word(std::string_view word);

}  // namespace rehead::cli
