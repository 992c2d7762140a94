// The loop: the next exchange, each step over it, the sink. In: a source, a chain, a sink. Out:
// what the sink writes; diagnostics with their message number. Knows no format and no step.
#pragma once

#include <memory>
#include <vector>

#include "base/stats.h"
#include "format/sink.h"
#include "format/source.h"
#include "pipeline/reporter.h"
#include "transform/transform.h"

namespace rehead {

using Chain = std::vector<std::unique_ptr<transform::Transform>>;

enum class Outcome : std::uint8_t {
  end,      // the source is read to its end, or failed and was reported
  stopped,  // a step wants nothing more
  lost,     // the output cannot be written: the run is over
};

/// Drives one source. An error of a step or of a body ends that message, one of the source its
/// file, one of `output` (which the sink writes into) the run.
Outcome run(format::Source& source, const Chain& chain, format::Sink& sink, ByteSink& output,
            Reporter& reporter, Counts& counts, Stats* stats = nullptr);

}  // namespace rehead
