#include "pipeline/input.h"

#include <unistd.h>

#include <filesystem>
#include <new>

#include "pipeline/progress.h"
#include "pipeline/split_output.h"

namespace rehead {
namespace {

/// Counts what is read.
class CountingReader final : public Reader {
 public:
  CountingReader(std::unique_ptr<Reader> reader, Stats* stats, Progress* meter)
      : reader_(std::move(reader)), stats_(stats), meter_(meter) {
    if (stats_ != nullptr) ++stats_->files;
  }
  Result<std::size_t> read(std::span<char> into) override {
    auto got = reader_->read(into);
    if (got && stats_ != nullptr) stats_->bytes_in += *got;
    if (got && meter_ != nullptr) meter_->read(*got);
    return got;
  }
  bool would_block() override { return reader_->would_block(); }

 private:
  std::unique_ptr<Reader> reader_;
  Stats* stats_;
  Progress* meter_;
};

Outcome read_input(const std::string& file, std::unique_ptr<Reader> reader, const InputRun& run,
                   Counts& counts) {
  const Job& job = *run.job;
  Reporter& reporter = *run.reporter;
  Stats* stats = job.policy.stats;
  if (stats != nullptr || job.meter != nullptr) {
    reader = std::make_unique<CountingReader>(std::move(reader), stats, job.meter);
  }
  // What came before is not held back while this input has nothing yet.
  if (reader->would_block() && !run.output->flush()) return Outcome::lost;
  const std::string name = display_name(file);
  auto opened = format::open({.reader = std::move(reader),
                              .file = name,
                              .output = run.output,
                              .policy = &job.policy,
                              .log = &reporter},
                             job.from);
  if (!opened) {
    reporter.fail(opened.error());
    return Outcome::end;
  }
  reporter.count_entries(opened->format->entries);
  auto sink = run.sink(*opened);
  if (!sink) {
    reporter.fail(sink.error());
    return Outcome::end;
  }
  const Outcome outcome =
      rehead::run(*opened->source, *run.chain, **sink, *run.output, reporter, counts, stats);
  if (outcome == Outcome::lost || (*sink)->end_input(name)) return outcome;
  return Outcome::lost;
}

/// Shows a regular file to the steps that want to see it once before; nothing is written or told.
void look_first(const std::string& file, const InputRun& run) {
  std::error_code missing;
  if (is_stdin(file) || !std::filesystem::is_regular_file(file, missing)) return;
  bool wanted = false;
  for (const auto& step : *run.chain) wanted = step->first_look() || wanted;
  if (!wanted) return;
  auto reader = open_input(file);
  MemorySink nowhere;
  Reporter unheard(nowhere, *run.reporter);
  const auto silent = report::make_silent();
  Counts counts;
  if (!reader) return;
  read_input(file, std::move(*reader),
             {.job = run.job,
              .chain = run.chain,
              .reporter = &unheard,
              .output = &nowhere,
              .sink = [&](format::Opened&) -> Result<format::Sink*> { return silent.get(); }},
             counts);
}

}  // namespace

bool is_stdin(const std::string& file) { return file == "-"; }

std::string display_name(const std::string& file) { return is_stdin(file) ? "<stdin>" : file; }

Result<std::unique_ptr<Reader>> open_input(const std::string& file) {
  if (is_stdin(file)) return std::make_unique<FdReader>(STDIN_FILENO);
  return open_reader(file);
}

Result<std::unique_ptr<format::Sink>> make_sink(const Job& job, const format::FormatInfo& input,
                                                const SinkPlace& place) {
  if (job.report) {
    auto report = job.report();
    report->begin({.output = &place.output,
                   .policy = &job.policy,
                   .log = &place.log,
                   .several = place.several,
                   .null = job.null,
                   .json = job.to == "ndjson"});
    return report;
  }
  const format::FormatInfo* to = job.to == "auto" ? &input : format::find(job.to);
  if (to == nullptr || to->make_sink == nullptr) {
    return fail(
        {Errc::usage, "no-writer",
         "the format " + std::string(to == nullptr ? job.to : to->name) + " cannot be written",
         "choose another with -t"});
  }
  // Without -t, and in place, -s chooses what steps touch, and never drops a stand-alone message.
  const bool chosen = job.side.has_value() && job.to != "auto" && !job.in_place;
  const format::SinkSetup setup = {.output = &place.output,
                                   .policy = &job.policy,
                                   .log = &place.log,
                                   .selection = {job.side.value_or(to->side), chosen},
                                   .bodies = job.bodies,
                                   .several = place.several,
                                   .parts = place.parts};
  return place.split != nullptr ? place.split->make_sink(*to, setup) : to->make_sink(setup);
}

Outcome run_input(const std::string& file, std::unique_ptr<Reader> reader, const InputRun& run,
                  Counts& counts) {
  try {
    look_first(file, run);
    return read_input(file, std::move(reader), run, counts);
  } catch (const std::bad_alloc&) {
    run.reporter->fail({Errc::io, "memory", "out of memory",
                        "--hold, --max-body and --max-entry bound what is held"});
    return Outcome::end;
  }
}

}  // namespace rehead
