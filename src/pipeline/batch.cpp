#include "pipeline/batch.h"

#include <sys/stat.h>
#include <unistd.h>

#include "format/formats.h"
#include "pipeline/output.h"
#include "pipeline/split_output.h"

namespace rehead {
namespace {

bool is_stdin(const std::string& file) { return file == "-"; }

Result<std::unique_ptr<Reader>> open_input(const std::string& file) {
  if (is_stdin(file)) return std::make_unique<FdReader>(STDIN_FILENO);
  return open_reader(file);
}

/// Counts what is read.
class CountingReader final : public Reader {
 public:
  CountingReader(std::unique_ptr<Reader> reader, Stats& stats)
      : reader_(std::move(reader)), stats_(stats) {
    ++stats_.files;
  }
  Result<std::size_t> read(std::span<char> into) override {
    auto got = reader_->read(into);
    if (got) stats_.bytes_in += *got;
    return got;
  }
  bool would_block() override { return reader_->would_block(); }

 private:
  std::unique_ptr<Reader> reader_;
  Stats& stats_;
};

class Batch {
 public:
  Batch(const Job& job, const Chain& chain, Output& output, Reporter& reporter)
      : job_(job), chain_(chain), output_(output), reporter_(reporter) {}

  /// Reads one input to its end and writes what comes of it.
  Outcome take(const std::string& file) {
    reporter_.begin_file(is_stdin(file) ? "<stdin>" : file);
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
    Stats* stats = job_.policy.stats;
    if (stats != nullptr) reader = std::make_unique<CountingReader>(std::move(*reader), *stats);
    // What came before is not held back while this input has nothing yet.
    if ((*reader)->would_block() && !output_.sink().flush()) return Outcome::lost;
    const std::string name = is_stdin(file) ? "<stdin>" : file;
    auto opened = format::open({.reader = std::move(*reader),
                                .file = name,
                                .output = &output_.sink(),
                                .policy = &job_.policy,
                                .log = &reporter_},
                               job_.from);
    if (!opened) {
      reporter_.fail(opened.error());
      return Outcome::end;
    }
    reporter_.count_entries(opened->format->entries);
    if (auto done = open_sink(*opened->format); !done) {
      reporter_.fail(done.error());
      return Outcome::end;
    }
    Outcome outcome =
        run(*opened->source, chain_, *sink_, output_.sink(), reporter_, counts, stats);
    if (outcome != Outcome::lost && !sink_->end_input(name)) outcome = Outcome::lost;
    return outcome;
  }

  /// Several inputs share one sink; "auto" takes the format of the first.
  Status open_sink(const format::FormatInfo& input) {
    if (sink_) return {};
    if (job_.report) {
      auto report = job_.report();
      report->begin({.output = &output_.sink(),
                     .policy = &job_.policy,
                     .log = &reporter_,
                     .several = job_.files.size() > 1,
                     .null = job_.null});
      sink_ = std::move(report);
      return {};
    }
    const format::FormatInfo* to = job_.to == "auto" ? &input : format::find(job_.to);
    if (to == nullptr || to->make_sink == nullptr) {
      return fail(
          {Errc::usage, "no-writer",
           "the format " + std::string(to == nullptr ? job_.to : to->name) + " cannot be written",
           "choose another with -t"});
    }
    const format::SinkSetup setup = {
        .output = &output_.sink(),
        .policy = &job_.policy,
        .log = &reporter_,
        .selection = {job_.side.value_or(to->side), job_.side.has_value()},
        .bodies = job_.bodies,
        .several = job_.files.size() > 1};
    sink_ =
        output_.split() != nullptr ? output_.split()->make_sink(*to, setup) : to->make_sink(setup);
    return {};
  }

  const Job& job_;
  const Chain& chain_;
  Output& output_;
  Reporter& reporter_;
  std::unique_ptr<format::Sink> sink_;
};

/// Says about the output what went wrong with it.
void fail_output(Reporter& reporter, const std::string& name, const Error& error) {
  reporter.begin_file(name);
  reporter.fail(error);
  reporter.begin_file({});
}

}  // namespace

Status check(const Job& job) {
  struct stat out {};
  if (!(job.output.empty() || job.output == "-")) return {};
  if (::fstat(STDOUT_FILENO, &out) != 0 || !S_ISREG(out.st_mode)) return {};
  std::vector<std::string> files = job.files;
  if (files.empty()) files.emplace_back("-");
  for (const std::string& file : files) {
    struct stat in {};
    const int found = is_stdin(file) ? ::fstat(STDIN_FILENO, &in) : ::stat(file.c_str(), &in);
    if (found == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino) {
      return fail(
          {Errc::usage, "output-is-input",
           "standard output is the input file " + (is_stdin(file) ? "<stdin>" : printable(file)),
           "the shell emptied it first; use -I or -o"});
    }
  }
  return {};
}

void run(const Job& job, const Chain& chain, Reporter& reporter) {
  auto output = Output::open(job.output);
  if (!output) {
    return fail_output(reporter, job.output.empty() ? "<stdout>" : job.output, output.error());
  }
  std::vector<std::string> files = job.files;
  if (files.empty()) files.emplace_back("-");
  Batch batch(job, chain, **output, reporter);
  Outcome outcome = Outcome::end;
  for (const std::string& file : files) {
    outcome = batch.take(file);
    if (outcome == Outcome::lost || (job.fail_fast && reporter.failed())) break;
  }
  Status closed = outcome == Outcome::lost ? (*output)->sink().flush() : batch.close();
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

}  // namespace rehead
