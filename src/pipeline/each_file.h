// Each file on its own: rewritten in place, written to another folder, or only judged. In: a job
// with -I, --output-dir, --check, -n or --diff. Out: the file itself, if and only if a step changed
// something (without a chain: if normalising did) and nothing went wrong.
#pragma once

#include <string>

#include "pipeline/input.h"

namespace rehead {

/// One file from its opening to its new name. Everything that goes wrong goes to the reporter;
/// `listing` takes what -n and --diff tell on standard output.
void run_one_file(const std::string& file, const Job& job, const Chain& chain, Reporter& reporter,
                  ByteSink& listing);

/// Where --output-dir puts the result of `file`.
std::string place_in(const std::string& folder, const std::string& file);

}  // namespace rehead
