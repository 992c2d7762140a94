// One run, as the user asked for it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/exchange.h"
#include "http/policy.h"
#include "pipeline/pipeline.h"
#include "pipeline/terminal.h"
#include "report/report.h"

namespace rehead {

class Progress;

struct Job {
  std::vector<std::string> files;   // as typed; "-" is standard input; none = standard input
  std::string from = "auto";        // formats by name; "auto": by the first bytes
  std::string to = "auto";          // "auto": as the first input
  std::string output;               // -o; empty = standard output
  bool in_place = false;            // -I
  std::string backup;               // --backup; empty: none is kept
  std::string output_dir;           // --output-dir; empty: it was not given
  bool check = false;               // --check
  bool dry_run = false;             // -n
  bool diff = false;                // --diff
  bool veiled = false;              // a step hides values: a diff does, too
  When colour = When::automatic;    // --color
  When progress = When::automatic;  // --progress
  http::Policy policy;
  std::optional<http::Side> side;  // -s
  bool bodies = true;
  bool null = false;  // -0
  /// Makes what answers instead of writing the messages; none: they are written.
  std::function<std::unique_ptr<report::Report>()> report;
  bool report_joins = false;  // it answers for all inputs together
  bool fail_fast = false;     // the first bad file ends the run
  unsigned jobs = 1;          // -j: files at a time; 0: as many as there are cores
  /// Makes the chain once more, for one that works at the same time; none: it cannot be.
  std::function<Result<Chain>()> another_chain;

  Progress* meter = nullptr;  // is told how far it is; not owned

  /// True if each input is held against its own old or new file, not joined with the others.
  bool each_file() const { return in_place || !output_dir.empty() || judges(); }
  /// True if only what would change is of interest: nothing is written anywhere.
  bool judges() const { return check || dry_run || diff; }
};

/// What can be refused before anything is read: options that exclude each other, an output that is
/// one of the inputs.
Status check(const Job& job);

/// True if -o names one of the inputs: its bytes are the user's, as with -I.
bool replaces_input(const Job& job);

}  // namespace rehead
