// --stats: one JSON object.
#pragma once

#include <string>

#include "base/stats.h"

namespace rehead::cli {

/// The figures as a line; the time that is told ends now.
std::string stats_text(const Stats& stats);

/// Allocations of this process so far.
std::uint64_t allocations();

}  // namespace rehead::cli
