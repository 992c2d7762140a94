// The whole command line: what is to be done, checked before anything is read.
#pragma once

#include <span>
#include <string>

#include "pipeline/batch.h"

namespace rehead::cli {

struct Command {
  enum class Kind : std::uint8_t {
    run,      // `job` with `chain`
    print,    // `text` on standard output
    explain,  // `text` on stderr: nothing was asked for
  };
  Kind kind = Kind::run;
  std::string text;
  Stats stats;  // of --stats; the job points to it
  Job job;
  Chain chain;
  std::string receipts;  // the file of what steps did (redact --report); "-": stderr; empty: none
};

/// `args` without the program's name. Sets the style of `reporter` as far as it was understood.
/// `terminal`: standard input is one. The steps of the chain point into `command`, which stays in
/// place.
Status parse(std::span<const std::string> args, bool terminal, Reporter& reporter,
             Command& command);

}  // namespace rehead::cli
