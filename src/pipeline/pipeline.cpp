#include "pipeline/pipeline.h"

#include <optional>

namespace rehead {
namespace {

using transform::Verdict;

/// The number diagnostics call the exchange by.
std::uint64_t number_of(const http::Exchange& exchange) {
  if (!exchange.alone()) return exchange.number;
  const http::Message* message =
      exchange.response != nullptr ? exchange.response : exchange.request;
  return message != nullptr ? message->notes.number : 0;
}

bool is_whole(const http::Exchange& exchange) {
  const auto whole = [](const http::Message* message) {
    return message == nullptr || message->notes.head_complete;
  };
  return whole(exchange.request) && whole(exchange.response);
}

/// A failed output says so again at every later call (base/io.h).
bool is_lost(ByteSink& output) { return !output.write({}); }

Result<http::Exchange*> next_of(format::Source& source, Stats* stats) {
  if (stats == nullptr) return source.next();
  const StageTimer timer(&stats->reading);
  auto next = source.next();
  if (next && *next != nullptr && !(*next)->passage) ++stats->messages;
  return next;
}

/// What takes the exchanges of one source: the chain from some step on, then the sink.
class Flow {
 public:
  Flow(const Chain& chain, format::Sink& sink, ByteSink& output, Reporter& reporter, Counts& counts,
       Stats* stats)
      : chain_(chain),
        sink_(sink),
        output_(output),
        reporter_(reporter),
        counts_(counts),
        stats_(stats) {}

  /// An error of a step or of a body ends that message.
  void take(http::Exchange& exchange, std::size_t from) {
    reporter_.at(number_of(exchange));
    if (run_steps(exchange, from)) write(exchange);
    if (stats_ == nullptr) return;
    for (http::Message* message : {exchange.request, exchange.response}) {
      if (message != nullptr) stats_->header_maps += message->headers.take_built();
    }
  }
  /// Each step in turn gives out what it held back.
  void finish();
  /// What stands between the exchanges goes past most steps.
  void pass(http::Exchange& passage) {
    reporter_.at(passage.number);
    for (const auto& step : chain_) {
      if (step->pass(passage, reporter_) != Verdict::keep) return;
    }
    settle(sink_.pass(passage));
  }
  /// No exchange is wanted any more; what stands around them is.
  void pass_rest(format::Source& source);
  /// How it ended, as soon as it has.
  std::optional<Outcome> outcome() const { return outcome_; }

 private:
  /// True if it goes on to the sink.
  bool run_steps(http::Exchange& exchange, std::size_t from) {
    const StageTimer timer(stats_ != nullptr ? &stats_->steps : nullptr);
    for (std::size_t i = from; i < chain_.size(); ++i) {
      auto verdict = chain_[i]->apply(exchange);
      // A message a step failed on is not written: half a chain may have hidden half a secret.
      if (!verdict) {
        reporter_.fail(verdict.error());
        return false;
      }
      const bool stop = *verdict == Verdict::stop || *verdict == Verdict::last;
      if (stop && !outcome_) outcome_ = Outcome::stopped;
      if (*verdict != Verdict::keep && *verdict != Verdict::last) return false;
    }
    return true;
  }
  void write(http::Exchange& exchange) {
    const StageTimer timer(stats_ != nullptr ? &stats_->writing : nullptr);
    auto done = sink_.write(exchange);
    if (done && !sink_.left_out()) ++counts_.written;
    settle(done);
  }
  void settle(const Status& done) {
    if (done) return;
    if (is_lost(output_)) {
      outcome_ = Outcome::lost;
    } else {
      reporter_.fail(done.error());
      if (done.error().code == Errc::io) outcome_ = Outcome::end;
    }
  }

  const Chain& chain_;
  format::Sink& sink_;
  ByteSink& output_;
  Reporter& reporter_;
  Counts& counts_;
  Stats* stats_;
  std::optional<Outcome> outcome_;
};

/// The rest of the chain, as one step sees it.
class RestOfChain final : public transform::Emitter {
 public:
  RestOfChain(Flow& flow, std::size_t from, Reporter& reporter)
      : flow_(flow), from_(from), reporter_(reporter) {}
  void emit(http::Exchange& exchange) override {
    flow_.take(exchange, from_);
    reporter_.at(0);
  }
  Diagnostics& log() override { return reporter_; }

 private:
  Flow& flow_;
  std::size_t from_;
  Reporter& reporter_;
};

void Flow::finish() {
  reporter_.at(0);
  for (std::size_t i = 0; i < chain_.size() && outcome_ != Outcome::lost; ++i) {
    RestOfChain rest(*this, i + 1, reporter_);
    if (auto done = chain_[i]->finish(rest); !done) reporter_.fail(done.error());
  }
}

void Flow::pass_rest(format::Source& source) {
  reporter_.at(0);
  while (outcome_ == Outcome::stopped && sink_.wants_rest()) {
    auto next = source.next();
    if (!next) {
      outcome_ = is_lost(output_) ? Outcome::lost : Outcome::stopped;
      if (outcome_ == Outcome::stopped) reporter_.fail(next.error());
    }
    if (!next || *next == nullptr) return;
    const bool entry = (*next)->number != 0;  // one that cannot be read is a passage too
    if ((*next)->passage && !entry) pass(**next);
  }
}

}  // namespace

Outcome run(format::Source& source, const Chain& chain, format::Sink& sink, ByteSink& output,
            Reporter& reporter, Counts& counts, Stats* stats) {
  Flow flow(chain, sink, output, reporter, counts, stats);
  while (!flow.outcome()) {
    reporter.at(0);
    auto next = next_of(source, stats);
    if (!next) {
      if (is_lost(output)) return Outcome::lost;
      reporter.fail(next.error());
      sink.input_broke_off();
    }
    if (!next || *next == nullptr) break;
    if ((*next)->passage) {
      flow.pass(**next);
    } else {
      ++counts.read;
      (*next)->interim_wanted = false;
      if ((*next)->alone()) (*next)->url = {};  // a step gave it to the message before
      const bool whole = is_whole(**next);
      flow.take(**next, 0);
      if (flow.outcome() == Outcome::stopped && (!whole || sink.wants_end())) {
        // Nothing more is wanted, but whether what was taken last was complete.
        next = source.next();
        if (!next) reporter.fail(next.error());
        if (next && *next != nullptr && (*next)->passage) flow.pass(**next);
      }
    }
  }
  flow.finish();
  if (flow.outcome() == Outcome::stopped) flow.pass_rest(source);
  return flow.outcome().value_or(Outcome::end);
}

}  // namespace rehead
