// Each file on its own: rewritten in place, written to another folder, or only judged. In: a job
// with -I, --output-dir, --check, -n or --diff. Out: the file itself, if and only if a step changed
// something (without a chain: if normalising did) and nothing went wrong (spec sections 1, 5, 9).
#pragma once

#include <string>

#include "pipeline/input.h"

namespace rehead {

class EachFile {
 public:
  /// `listing` takes what is told about the files on standard output.
  EachFile(const Job& job, const Chain& chain, Reporter& reporter, ByteSink& listing)
      : job_(job), chain_(chain), reporter_(reporter), listing_(listing) {}
  /// Everything that goes wrong goes to the reporter.
  void take(const std::string& file);

 private:
  void work(const std::string& file, Counts& counts);

  const Job& job_;
  const Chain& chain_;
  Reporter& reporter_;
  ByteSink& listing_;
};

/// Where --output-dir puts the result of `file`.
std::string place_in(const std::string& folder, const std::string& file);

}  // namespace rehead
