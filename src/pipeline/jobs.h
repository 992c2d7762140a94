// Several files at once, -j: a thread and a chain for each, results in the order of the files.
#pragma once

#include <functional>
#include <vector>

#include "pipeline/job.h"
#include "pipeline/reporter.h"
#include "pipeline/turns.h"

namespace rehead {

/// The chains for all that work at the same time; empty: one after the other, with the chain there
/// is.
std::vector<Chain> chains_for(const Job& job, std::size_t files);

/// What one file has to itself while it is worked on.
struct FileTurn {
  const Chain& chain;
  Reporter& reporter;
  ByteSink& output;  // of what goes to `shared`
};

/// Calls `work` for each file, `chains.size()` at a time, in the order of the files; the reporter
/// hears of them in that order. `work` gives false to end the run: files that were not begun stay
/// so. What others have done meanwhile counts too, unless `discard`: then it was never seen.
void run_at_once(std::vector<Chain>& chains, std::size_t files, Reporter& reporter,
                 ByteSink& shared, bool discard,
                 const std::function<bool(std::size_t, FileTurn)>& work);

}  // namespace rehead
