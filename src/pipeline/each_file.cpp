#include "pipeline/each_file.h"

#include <filesystem>

#include "pipeline/comparison.h"
#include "pipeline/destination.h"
#include "pipeline/diff.h"
#include "pipeline/original.h"
#include "pipeline/watch.h"

namespace rehead {
namespace {

Look look_of(const Job& job) {
  Look look = look_of_stdout(job.colour);
  look.veiled = job.veiled;
  return look;
}

class OneFile {
 public:
  OneFile(const std::string& file, const Job& job, const Chain& chain, Reporter& reporter,
          ByteSink& listing)
      : file_(file),
        job_(job),
        chain_(chain),
        reporter_(reporter),
        listing_(listing),
        look_(look_of(job)),
        elsewhere_(!job.output_dir.empty()),
        destination_(elsewhere_ ? place_in(job.output_dir, file) : file, original_),
        comparison_([this](std::uint64_t equal) { return begin(equal); }),
        watch_(tells() ? [this](const ExchangeChange& change) { tell(change); } : Watch::Tell()),
        diff_(diff_title(display_name(file), look_)) {}

  void run(Counts& counts);

 private:
  bool tells() const { return job_.diff || job_.dry_run; }
  Status open();
  Result<ByteSink*> begin(std::uint64_t equal);
  Result<format::Sink*> make_ends(format::Opened& opened);
  void tell(const ExchangeChange& change);
  bool find_change(Outcome outcome);
  void list(bool changed);
  std::string listed() const;
  Status put_in_place(bool changed);

  const std::string& file_;
  const Job& job_;
  const Chain& chain_;
  Reporter& reporter_;
  ByteSink& listing_;
  const Look look_;
  const bool elsewhere_;  // --output-dir

  Original original_;
  Destination destination_;
  Comparison comparison_;
  Watch watch_;
  std::unique_ptr<format::Sink> sink_;
  bool entries_ = false;       // it is a HAR
  std::string diff_;           // held back until it is known that a step is behind it
  bool diff_told_ = false;     // some of it
  std::uint64_t changes_ = 0;  // exchanges
};

Status OneFile::open() {
  return original_.open(file_, job_.in_place ? Original::Kind::replaceable : Original::Kind::any);
}

Result<ByteSink*> OneFile::begin(std::uint64_t equal) {
  return job_.judges() ? Result<ByteSink*>(nullptr) : destination_.begin(equal);
}

/// The sink, once the format is known, and what watches the chain.
Result<format::Sink*> OneFile::make_ends(format::Opened& opened) {
  destination_.wrap(opened.gzip);
  // What goes elsewhere is held against nothing, so that all of it is written.
  comparison_.against(elsewhere_ ? std::make_unique<MemoryReader>("")
                                 : original_.read(opened.gzip));
  auto made = make_sink(job_, *opened.format, {.output = comparison_, .log = reporter_});
  if (!made) return fail(std::move(made.error()));
  sink_ = std::move(*made);
  entries_ = opened.format->entries;
  if (job_.diff && opened.format->name == "http") {
    comparison_.count_lines();
    watch_.count_lines_by([this] { return comparison_.lines(); });
  }
  if (tells() || !entries_) {
    opened.source = watch_.around(std::move(opened.source));
    sink_ = watch_.around(std::move(sink_));
  }
  return sink_.get();
}

void OneFile::tell(const ExchangeChange& change) {
  ++changes_;
  if (!job_.diff) return;
  diff_ += diff_text(change, look_);
  if (!chain_.empty() && !watch_.step_changed()) return;
  // The first error of the listing is told at its end (base/io.h).
  static_cast<void>(listing_.write(std::exchange(diff_, {})));
  diff_told_ = true;
}

/// Closes what was written; true if the file would have another content, and by a step where there
/// is one. A HAR leaves as it came but for what a step did: there the bytes say it all.
bool OneFile::find_change(Outcome outcome) {
  watch_.finish();
  const Status done = outcome == Outcome::lost ? comparison_.flush() : sink_->finish();
  auto differs = done ? comparison_.finish() : fail(Error(done.error()));
  if (!differs) reporter_.fail(differs.error());
  const bool by_step =
      chain_.empty() || entries_ || watch_.step_changed() || outcome == Outcome::stopped;
  return differs && *differs && by_step;
}

/// What -n, --diff and --check tell.
void OneFile::list(bool changed) {
  if (changed && job_.diff) {
    if (changes_ == 0) diff_ += diff_note(reporter_.file_failed() ? "not complete: the input ends early or is broken, see the errors" : "no field would mean another thing, only spelling changes: line ends, folds, broken lines, framing", look_);
    if (!diff_told_ || !diff_.empty()) static_cast<void>(listing_.write(diff_));
  }
  if (job_.dry_run && (changed || elsewhere_) && !reporter_.file_failed()) {
    static_cast<void>(listing_.write(listed()));
  }
  if (changed && (job_.diff || job_.check)) reporter_.say_no();
}

std::string OneFile::listed() const {
  std::string line = printable(elsewhere_ ? destination_.name() : display_name(file_));
  if (changes_ != 0) {
    const bool one = changes_ == 1;
    line += ": " + std::to_string(changes_);
    line += entries_ ? (one ? " entry" : " entries") : (one ? " message" : " messages");
  }
  return line + '\n';
}

Status OneFile::put_in_place(bool changed) {
  if (elsewhere_) {
    if (!destination_.begun()) {
      if (auto empty = destination_.begin(0); !empty) return fail(std::move(empty.error()));
    }
    return destination_.commit({}, {});
  }
  if (!changed) return {};
  return destination_.commit(job_.backup, [this] { return original_.check_untouched(); });
}

void OneFile::run(Counts& counts) {
  if (auto done = open(); !done) return reporter_.fail(done.error());
  if (!elsewhere_) reporter_.hold_repairs();
  const Outcome outcome =
      run_input(file_, original_.read(),
                {.job = &job_,
                 .chain = &chain_,
                 .reporter = &reporter_,
                 .output = &comparison_,
                 .sink = [this](format::Opened& opened) { return make_ends(opened); }},
                counts);
  if (!sink_) return reporter_.release_repairs(true);
  const bool changed = find_change(outcome);
  reporter_.release_repairs(changed || reporter_.file_failed());
  counts.verdict = changed ? "changed" : "unchanged";
  if (job_.judges()) return list(changed);
  if (reporter_.file_failed()) {
    counts.verdict = elsewhere_ ? "not written" : "left as it was";
    return reporter_.report({.id = "output-kept",
                             .what = std::string(counts.verdict) + ", because of the errors",
                             .hint = entries_ ? "use > FILE to keep what there is" : ""});
  }
  if (elsewhere_) counts.verdict = "written";
  if (auto done = put_in_place(changed); !done) {
    counts.verdict = {};
    return reporter_.fail(done.error());
  }
  if (job_.policy.stats != nullptr) job_.policy.stats->bytes_out += destination_.written();
}

}  // namespace

std::string place_in(const std::string& folder, const std::string& file) {
  namespace fs = std::filesystem;
  return (fs::path(folder) / fs::path(file).filename()).string();
}

void run_one_file(const std::string& file, const Job& job, const Chain& chain, Reporter& reporter,
                  ByteSink& listing) {
  reporter.begin_file(display_name(file));
  Counts counts;
  OneFile(file, job, chain, reporter, listing).run(counts);
  reporter.end_file(counts);
}

}  // namespace rehead
