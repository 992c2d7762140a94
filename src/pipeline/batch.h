// Many files through one chain: joined into one output, or each on its own (each_file.h).
#pragma once

#include "pipeline/job.h"
#include "pipeline/reporter.h"

namespace rehead {

/// Everything that goes wrong goes to the reporter.
void run(const Job& job, const Chain& chain, Reporter& reporter);

}  // namespace rehead
