#include "pipeline/batch.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "pipeline/each_file.h"
#include "pipeline/input.h"
#include "pipeline/jobs.h"
#include "pipeline/output.h"
#include "pipeline/progress.h"
#include "pipeline/show.h"

namespace rehead {
namespace {

using Files = std::vector<std::string>;
using Sinks = std::function<Result<format::Sink*>(format::Opened&)>;

/// Reads one input to its end; false if the output was lost.
bool take(const std::string& file, const Job& job, const Chain& chain, Reporter& reporter,
          ByteSink& output, const Sinks& sink) {
  reporter.begin_file(display_name(file));
  Counts counts;
  Outcome outcome = Outcome::end;
  auto reader = open_input(file);
  if (!reader) {
    reporter.fail(reader.error());
  } else {
    outcome = run_input(
        file, std::move(*reader),
        {.job = &job, .chain = &chain, .reporter = &reporter, .output = &output, .sink = sink},
        counts);
  }
  reporter.end_file(counts);
  if (job.meter != nullptr) job.meter->file_done();
  return outcome != Outcome::lost;
}

/// All inputs into one sink, made for the first of them.
Status join_in_turn(const Job& job, const Chain& chain, Reporter& reporter, Output& output,
                    const Look* look, const Files& files) {
  Show show(output.sink(), look != nullptr ? *look : Look());
  ByteSink& to = look != nullptr ? static_cast<ByteSink&>(show) : output.sink();
  // For an input without a byte, which has no format that "auto" could take.
  const std::unique_ptr<format::Sink> nothing = report::make_silent();
  std::unique_ptr<format::Sink> sink;
  const Sinks sinks = [&](format::Opened& opened) -> Result<format::Sink*> {
    if (sink) return sink.get();
    if (opened.empty && job.to == "auto" && !job.report) return nothing.get();
    auto made = make_sink(job, *opened.format,
                          {.output = to,
                           .log = reporter,
                           .several = files.size() > 1,
                           .split = output.split(),
                           .parts = look != nullptr ? &show : nullptr});
    if (!made) return fail(std::move(made.error()));
    sink = std::move(*made);
    return sink.get();
  };
  for (const std::string& file : files) {
    if (!take(file, job, chain, reporter, to, sinks)) return output.sink().flush();
    if (job.fail_fast && reporter.failed()) break;
  }
  Status done = sink ? sink->finish() : Status();
  return done ? show.end() : done;
}

/// The same where each input can have a sink of its own.
Status join_at_once(const Job& job, std::vector<Chain>& chains, Reporter& reporter, Output& output,
                    const Look* look, const Files& files) {
  const auto work = [&](std::size_t index, FileTurn turn) {
    Show show(turn.output, look != nullptr ? *look : Look());
    ByteSink& to = look != nullptr ? static_cast<ByteSink&>(show) : turn.output;
    std::unique_ptr<format::Sink> sink;
    const Sinks sinks = [&](format::Opened& opened) -> Result<format::Sink*> {
      auto made = make_sink(job, *opened.format,
                            {.output = to,
                             .log = turn.reporter,
                             .several = true,
                             .parts = look != nullptr ? &show : nullptr});
      if (!made) return fail(std::move(made.error()));
      sink = std::move(*made);
      return sink.get();
    };
    if (!take(files[index], job, turn.chain, turn.reporter, to, sinks)) return false;
    if ((sink && !sink->finish()) || !show.end()) return false;
    return !(job.fail_fast && turn.reporter.failed());
  };
  run_at_once(chains, files.size(), reporter, output.sink(), true, work);
  return output.sink().flush();
}

struct Unheard final : Diagnostics {
  void report(const Finding&) override {}
};

/// True if what comes of one input does not depend on the others. `job.to` becomes the format of
/// the first input, if that decides.
bool can_join_at_once(Job& job, const Files& files) {
  const auto plain = [](const std::string& file) {
    std::error_code missing;
    return !is_stdin(file) && (std::filesystem::is_regular_file(file, missing) ||
                               !std::filesystem::exists(file, missing));
  };
  if (!std::ranges::all_of(files, plain)) return false;
  if (job.report) return !job.report_joins;
  for (const std::string& file : files) {
    if (job.to != "auto") break;
    auto reader = open_input(file);
    if (!reader) continue;
    Unheard log;
    auto opened = format::open(
        {.reader = std::move(*reader), .file = file, .policy = &job.policy, .log = &log}, job.from);
    if (opened && !opened->empty) job.to = opened->format->name;
  }
  const format::FormatInfo* to = format::find(job.to);
  return to != nullptr && to->make_sink != nullptr && !to->entries;
}

/// Says about the output what went wrong with it.
void fail_output(Reporter& reporter, const std::string& name, const Error& error) {
  reporter.begin_file(name);
  reporter.fail(error);
  reporter.begin_file({});
}

void run_into_one(const Job& asked, const Chain& chain, Reporter& reporter, const Files& files) {
  auto opened = Output::open(asked.output);
  if (!opened) {
    return fail_output(reporter, asked.output.empty() ? "<stdout>" : asked.output, opened.error());
  }
  Output& output = **opened;
  Job job = asked;
  std::vector<Chain> chains;
  if (job.jobs != 1 && output.split() == nullptr && can_join_at_once(job, files)) {
    chains = chains_for(job, files.size());
  }
  const Look stdout_look = look_of_stdout(job.colour);
  const bool seen = output.is_stdout() && (stdout_look.colour || stdout_look.harmless);
  const Look* look = seen ? &stdout_look : nullptr;
  Status closed = chains.empty() ? join_in_turn(asked, chain, reporter, output, look, files)
                                 : join_at_once(job, chains, reporter, output, look, files);
  if (closed && !(output.replaces() && reporter.failed())) closed = output.commit();
  if (job.policy.stats != nullptr) job.policy.stats->bytes_out += output.written();
  if (!closed) fail_output(reporter, output.name(), closed.error());
  if (closed && output.replaces() && reporter.failed()) {
    reporter.begin_file(output.name());
    reporter.report({.id = "output-kept",
                     .what = "not written, because of the errors",
                     .hint = output.split() == nullptr ? "use > FILE to keep what there is" : ""});
    reporter.begin_file({});
  }
}

/// Names that stand for one file (links to it) are one file to -I.
Files without_repeats(const Files& files) {
  std::set<std::string> seen;
  Files out;
  for (const std::string& file : files) {
    std::error_code unresolved;
    const auto resolved = std::filesystem::canonical(file, unresolved);
    if (unresolved || seen.insert(resolved.string()).second) out.push_back(file);
  }
  return out;
}

void run_each(const Job& job, const Chain& chain, Reporter& reporter, const Files& files) {
  if (!job.output_dir.empty() && !job.judges()) {
    std::error_code error;
    std::filesystem::create_directories(job.output_dir, error);
    if (error) {
      return fail_output(
          reporter, job.output_dir,
          system_error("output-dir", "cannot create the folder", error.value()).value());
    }
  }
  // Where nothing is told, standard output may be closed.
  std::unique_ptr<Output> listing;
  if (job.diff || job.dry_run) {
    auto opened = Output::open({});
    if (!opened) return fail_output(reporter, "<stdout>", opened.error());
    listing = std::move(*opened);
  }
  MemorySink nothing;
  ByteSink& shared = listing ? listing->sink() : nothing;
  const auto work = [&](std::size_t index, FileTurn turn) {
    run_one_file(files[index], job, turn.chain, turn.reporter, turn.output);
    if (job.meter != nullptr) job.meter->file_done();
    return !(job.fail_fast && turn.reporter.failed()) && turn.output.write({});
  };
  std::vector<Chain> chains = chains_for(job, files.size());
  if (!chains.empty()) {
    run_at_once(chains, files.size(), reporter, shared, false, work);
  } else {
    for (std::size_t i = 0; i < files.size() && work(i, {chain, reporter, shared});) ++i;
  }
  if (!listing) return;
  if (auto done = listing->commit(); !done) fail_output(reporter, "<stdout>", done.error());
}

}  // namespace

void run(const Job& asked, const Chain& chain, Reporter& reporter) {
  Job job = asked;
  if (job.files.empty()) job.files.emplace_back("-");
  const Files files = job.in_place ? without_repeats(job.files) : job.files;
  ByteSink& err = reporter.out();
  std::optional<Progress> progress;
  if (!reporter.quiet() && wants_progress(job)) {
    const auto patience = std::chrono::seconds(job.progress == When::always ? 0 : 1);
    progress.emplace(err, work_of(files), terminal_columns, patience);
    reporter.redirect(*progress);
    job.meter = &*progress;
  }
  job.each_file() ? run_each(job, chain, reporter, files)
                  : run_into_one(job, chain, reporter, files);
  if (progress) progress->finish();
  reporter.redirect(err);
}

}  // namespace rehead
