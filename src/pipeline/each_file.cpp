#include "pipeline/each_file.h"

#include <filesystem>
#include <optional>

#include "codec/content_coding.h"
#include "pipeline/comparison.h"
#include "pipeline/new_file.h"
#include "pipeline/original.h"
#include "pipeline/watch.h"

namespace rehead {
namespace {

/// The new file, begun once its first bytes are known to be needed.
class Destination {
 public:
  Destination(std::string name, const Original& original)
      : name_(std::move(name)), original_(original) {}
  /// Whether it is wrapped in gzip, as the original is.
  void wrap(bool gzip) { wrap_ = gzip; }
  /// Its first `equal` bytes are those of the original.
  Result<ByteSink*> begin(std::uint64_t equal);
  bool begun() const { return plain_.has_value(); }
  std::uint64_t written() const { return plain_ ? plain_->written() : 0; }
  Status commit(const std::string& suffix);

 private:
  Status copy(std::uint64_t size, ByteSink& to) const;

  std::string name_;
  const Original& original_;
  bool wrap_ = false;
  NewFile file_;
  std::optional<FdSink> plain_;
  std::optional<codec::GzipSink> gzip_;
};

Result<ByteSink*> Destination::begin(std::uint64_t equal) {
  if (auto done = file_.open(name_); !done) return fail(std::move(done.error()));
  plain_.emplace(file_.fd());
  if (wrap_) gzip_.emplace(*plain_);
  ByteSink* sink = wrap_ ? static_cast<ByteSink*>(&*gzip_) : &*plain_;
  if (auto done = copy(equal, *sink); !done) return fail(std::move(done.error()));
  return sink;
}

Status Destination::copy(std::uint64_t size, ByteSink& to) const {
  if (size == 0) return {};
  const auto reader = original_.read(wrap_);
  std::string block(std::size_t{256} << 10, '\0');
  while (size != 0) {
    auto got = reader->read(
        {block.data(), static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), size))});
    if (!got) return fail(std::move(got.error()));
    if (*got == 0) return original_.check_untouched();
    if (auto done = to.write({block.data(), *got}); !done) return done;
    size -= *got;
  }
  return {};
}

Status Destination::commit(const std::string& suffix) {
  if (gzip_) {
    if (auto done = gzip_->finish(); !done) return done;
  }
  if (auto done = plain_->flush(); !done) return done;
  return file_.commit(suffix);
}

}  // namespace

std::string place_in(const std::string& folder, const std::string& file) {
  namespace fs = std::filesystem;
  return (fs::path(folder) / fs::path(file).filename()).string();
}

void EachFile::take(const std::string& file) {
  reporter_.begin_file(display_name(file));
  Counts counts;
  work(file, counts);
  reporter_.end_file(counts);
}

void EachFile::work(const std::string& file, Counts& counts) {
  const bool elsewhere = !job_.output_dir.empty();
  Original original;
  Status done = original.open(file);
  if (done && job_.in_place && !original.is_regular_file()) {
    done = fail({Errc::io, "not-regular", "no regular file, so it cannot be replaced"});
  }
  if (!done) return reporter_.fail(done.error());

  Destination destination(elsewhere ? place_in(job_.output_dir, file) : file, original);
  Comparison comparison([&](std::uint64_t equal) -> Result<ByteSink*> {
    return job_.judges() ? Result<ByteSink*>(nullptr) : destination.begin(equal);
  });
  Watch watch({});
  bool watched = false;
  bool entries = false;
  std::unique_ptr<format::Sink> sink;
  const Outcome outcome =
      run_input(file, original.read(),
                {.job = &job_,
                 .chain = &chain_,
                 .reporter = &reporter_,
                 .output = &comparison,
                 .sink = [&](format::Opened& opened) -> Result<format::Sink*> {
                   destination.wrap(opened.gzip);
                   comparison.against(elsewhere ? std::make_unique<MemoryReader>("")
                                                : original.read(opened.gzip));
                   auto made = make_sink(job_, *opened.format, comparison, reporter_, false);
                   if (!made) return fail(std::move(made.error()));
                   sink = std::move(*made);
                   entries = opened.format->entries;
                   // A HAR leaves as it came but for what a step did: its bytes tell.
                   watched = !entries && !chain_.empty() && !elsewhere;
                   if (watched) {
                     opened.source = watch.around(std::move(opened.source));
                     sink = watch.around(std::move(sink));
                   }
                   return sink.get();
                 }},
                counts);
  if (!sink) return;
  watch.finish();
  done = outcome == Outcome::lost ? comparison.flush() : sink->finish();
  auto differs = done ? comparison.finish() : fail(std::move(done.error()));
  if (!differs) reporter_.fail(differs.error());
  const bool by_step = !watched || watch.step_changed() || outcome == Outcome::stopped;
  const bool changed = differs && *differs && by_step;
  counts.verdict = changed ? "changed" : "unchanged";
  if (job_.judges()) {
    if (changed) reporter_.say_no();
    return;
  }
  if (reporter_.file_failed()) {
    counts.verdict = "left as it was";
    return reporter_.report({.id = "output-kept",
                             .what = elsewhere ? "not written, because of the errors"
                                               : "left as it was, because of the errors",
                             .hint = entries ? "use > FILE to keep what there is" : ""});
  }
  if (elsewhere) {
    counts.verdict = "written";
    if (!destination.begun()) done = destination.begin(0).map([](ByteSink*) {});
    if (done) done = destination.commit({});
  } else if (changed) {
    done = original.check_untouched();
    if (done) done = destination.commit(job_.backup);
  }
  if (!done) return reporter_.fail(done.error());
  if (job_.policy.stats != nullptr) job_.policy.stats->bytes_out += destination.written();
}

}  // namespace rehead
