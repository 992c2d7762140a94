#include "pipeline/batch.h"

#include <filesystem>
#include <set>
#include <system_error>

#include "pipeline/each_file.h"
#include "pipeline/input.h"
#include "pipeline/output.h"

namespace rehead {
namespace {

/// All inputs into one sink.
class OneOutput {
 public:
  OneOutput(const Job& job, const Chain& chain, Output& output, Reporter& reporter)
      : job_(job), chain_(chain), output_(output), reporter_(reporter) {}

  /// Reads one input to its end and writes what comes of it.
  Outcome take(const std::string& file) {
    reporter_.begin_file(display_name(file));
    Counts counts;
    const Outcome outcome = read(file, counts);
    reporter_.end_file(counts);
    return outcome;
  }

  /// Closes the document, if one was begun, and the output.
  Status close() {
    if (sink_) {
      if (auto done = sink_->finish(); !done) return done;
    }
    const bool keep = !output_.replaces() || !reporter_.failed();
    return keep ? output_.commit() : Status{};
  }

 private:
  Outcome read(const std::string& file, Counts& counts) {
    auto reader = open_input(file);
    if (!reader) {
      reporter_.fail(reader.error());
      return Outcome::end;
    }
    const auto sink = [this](format::Opened& opened) -> Result<format::Sink*> {
      if (sink_) return sink_.get();
      auto made = make_sink(job_, *opened.format, output_.sink(), reporter_, job_.files.size() > 1,
                            output_.split());
      if (!made) return fail(std::move(made.error()));
      sink_ = std::move(*made);
      return sink_.get();
    };
    return run_input(file, std::move(*reader),
                     {.job = &job_,
                      .chain = &chain_,
                      .reporter = &reporter_,
                      .output = &output_.sink(),
                      .sink = sink},
                     counts);
  }

  const Job& job_;
  const Chain& chain_;
  Output& output_;
  Reporter& reporter_;
  std::unique_ptr<format::Sink> sink_;  // "auto" takes the format of the first input
};

/// Says about the output what went wrong with it.
void fail_output(Reporter& reporter, const std::string& name, const Error& error) {
  reporter.begin_file(name);
  reporter.fail(error);
  reporter.begin_file({});
}

void run_into_one(const Job& job, const Chain& chain, Reporter& reporter,
                  const std::vector<std::string>& files) {
  auto output = Output::open(job.output);
  if (!output) {
    return fail_output(reporter, job.output.empty() ? "<stdout>" : job.output, output.error());
  }
  OneOutput all(job, chain, **output, reporter);
  Outcome outcome = Outcome::end;
  for (const std::string& file : files) {
    outcome = all.take(file);
    if (outcome == Outcome::lost || (job.fail_fast && reporter.failed())) break;
  }
  Status closed = outcome == Outcome::lost ? (*output)->sink().flush() : all.close();
  if (job.policy.stats != nullptr) job.policy.stats->bytes_out += (*output)->written();
  if (!closed) fail_output(reporter, (*output)->name(), closed.error());
  if (closed && (*output)->replaces() && reporter.failed()) {
    reporter.begin_file((*output)->name());
    reporter.report(
        {.id = "output-kept",
         .what = "not written, because of the errors",
         .hint = (*output)->split() == nullptr ? "use > FILE to keep what there is" : ""});
    reporter.begin_file({});
  }
}

/// Names that stand for one file (links to it) are one file to -I.
std::vector<std::string> without_repeats(const std::vector<std::string>& files) {
  std::set<std::string> seen;
  std::vector<std::string> out;
  for (const std::string& file : files) {
    std::error_code unresolved;
    const auto resolved = std::filesystem::canonical(file, unresolved);
    if (unresolved || seen.insert(resolved.string()).second) out.push_back(file);
  }
  return out;
}

void run_each(const Job& job, const Chain& chain, Reporter& reporter,
              const std::vector<std::string>& files) {
  if (!job.output_dir.empty() && !job.judges()) {
    std::error_code error;
    std::filesystem::create_directories(job.output_dir, error);
    if (error) {
      return fail_output(
          reporter, job.output_dir,
          system_error("output-dir", "cannot create the folder", error.value()).value());
    }
  }
  auto listing = Output::open({});
  if (!listing) return fail_output(reporter, "<stdout>", listing.error());
  for (const std::string& file : files) {
    run_one_file(file, job, chain, reporter, (*listing)->sink());
    if (job.fail_fast && reporter.failed()) break;
  }
  if (auto done = (*listing)->commit(); !done) fail_output(reporter, "<stdout>", done.error());
}

}  // namespace

void run(const Job& job, const Chain& chain, Reporter& reporter) {
  std::vector<std::string> files = job.files;
  if (files.empty()) files.emplace_back("-");
  if (job.in_place) files = without_repeats(files);
  job.each_file() ? run_each(job, chain, reporter, files)
                  : run_into_one(job, chain, reporter, files);
}

}  // namespace rehead
