#include "pipeline/job.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "pipeline/each_file.h"

namespace rehead {
namespace {

tl::unexpected<Error> refuse(std::string_view id, std::string what, std::string hint = {}) {
  return fail({Errc::usage, id, std::move(what), std::move(hint)});
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// The input that is the file `status` tells of, or empty.
std::string input_that_is(const Job& job, const struct stat& status) {
  std::vector<std::string> files = job.files;
  if (files.empty()) files.emplace_back("-");
  for (const std::string& file : files) {
    struct stat in {};
    const int found = is_stdin(file) ? ::fstat(STDIN_FILENO, &in) : ::stat(file.c_str(), &in);
    if (found == 0 && same_file(in, status)) return file;
  }
  return {};
}

/// Options that say different things about where the result goes.
Status check_options(const Job& job) {
  const auto conflict = [](std::string_view one, std::string_view other) {
    return refuse("option-value",
                  std::string(one) + " and " + std::string(other) + " exclude each other");
  };
  const bool output = !job.output.empty();
  const bool folder = !job.output_dir.empty();
  const std::string_view mode = job.in_place  ? "-I"
                                : job.check   ? "--check"
                                : job.diff    ? "--diff"
                                : job.dry_run ? "-n"
                                              : "";
  if (!job.backup.empty() && !job.in_place) return refuse("option-value", "--backup goes with -I");
  if (folder && output) return conflict("--output-dir", "-o");
  if (mode.empty()) return {};
  if (folder && mode == "-n") return {};
  if (folder) return conflict(mode, "--output-dir");
  if (output) return conflict(mode, "-o");
  if (job.report) {
    return refuse("option-value",
                  std::string(mode) + " does not go with a verb that gives an answer");
  }
  if (job.to != "auto" && job.to != job.from) {
    return refuse("option-value",
                  std::string(mode) + " keeps the format of each file, --to does not go with it",
                  "--output-dir DIR writes files of another format");
  }
  return {};
}

Status check_files(const Job& job) {
  const std::string option = job.in_place ? "-I" : "--output-dir";
  if (job.files.empty()) return refuse("no-files", option + " needs a FILE");
  std::map<std::string, std::string> places;
  for (const std::string& file : job.files) {
    if (is_stdin(file)) return refuse("no-files", option + " needs files, not standard input");
    struct stat there {};
    if (job.in_place) {
      std::error_code unresolved;
      const auto real = std::filesystem::canonical(file, unresolved);
      const std::string backup = (unresolved ? file : real.string()) + job.backup;
      if (job.backup.empty() || ::stat(backup.c_str(), &there) != 0) continue;
      const std::string lost = input_that_is(job, there);
      if (lost.empty()) continue;
      return refuse("backup-is-input",
                    "the backup of " + printable(file) + " would replace " + printable(lost));
    }
    const std::string place = place_in(job.output_dir, file);
    const auto [at, fresh] = places.emplace(place, file);
    if (!fresh) {
      return refuse("same-name", printable(at->second) + " and " + printable(file) +
                                     " would both become " + printable(place));
    }
    if (::stat(place.c_str(), &there) != 0) continue;
    const std::string lost = input_that_is(job, there);
    if (lost.empty()) continue;
    return refuse("output-is-input", "--output-dir would replace the input " + printable(lost),
                  "-I rewrites files in place");
  }
  return {};
}

}  // namespace

bool replaces_input(const Job& job) {
  struct stat there {};
  return !job.output.empty() && job.output != "-" && ::stat(job.output.c_str(), &there) == 0 &&
         S_ISREG(there.st_mode) && !input_that_is(job, there).empty();
}

Status check(const Job& job) {
  if (auto done = check_options(job); !done) return done;
  if (job.in_place || !job.output_dir.empty()) {
    if (auto done = check_files(job); !done) return done;
  }
  const bool to_stdout =
      job.each_file() ? job.diff || job.dry_run : job.output.empty() || job.output == "-";
  struct stat out {};
  if (::fstat(STDOUT_FILENO, &out) != 0 || !S_ISREG(out.st_mode)) return {};
  const std::string lost = input_that_is(job, out);
  if (lost.empty()) return {};
  return refuse(
      "output-is-input",
      "standard output is the input file " + (is_stdin(lost) ? "<stdin>" : printable(lost)),
      to_stdout ? "the shell emptied it first; use -I or -o"
                : "the shell emptied it first, and nothing is written there");
}

}  // namespace rehead
