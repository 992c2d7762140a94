// Many files through one chain to one output: what is opened and closed around the loop of
// pipeline.h.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/exchange.h"
#include "http/policy.h"
#include "pipeline/pipeline.h"
#include "report/report.h"

namespace rehead {

/// One run, as the user asked for it.
struct Job {
  std::vector<std::string> files;  // as typed; "-" is standard input; none = standard input
  std::string from = "auto";       // formats by name; "auto": by the first bytes
  std::string to = "auto";         // "auto": as the first input
  std::string output;              // -o; empty = standard output
  http::Policy policy;
  std::optional<http::Side> side;  // -s
  bool bodies = true;
  bool null = false;  // -0
  /// Makes what answers instead of writing the messages; none: they are written.
  std::function<std::unique_ptr<report::Report>()> report;
  bool fail_fast = false;  // the first bad file ends the run
};

/// What can be refused before anything is read: standard output is one of the inputs.
Status check(const Job& job);

/// Reads file after file and writes one output. Everything that goes wrong goes to the reporter.
void run(const Job& job, const Chain& chain, Reporter& reporter);

}  // namespace rehead
