#include "pipeline/pipeline.h"

namespace rehead {
namespace {

using transform::Verdict;

/// The number diagnostics call the exchange by.
std::uint64_t number_of(const http::Exchange& exchange) {
  if (!exchange.alone()) return exchange.number;
  const http::Message* message =
      exchange.response != nullptr ? exchange.response : exchange.request;
  return message != nullptr ? message->number : 0;
}

Result<Verdict> run_steps(const Chain& chain, http::Exchange& exchange) {
  for (const auto& step : chain) {
    auto verdict = step->apply(exchange);
    if (!verdict || *verdict != Verdict::keep) return verdict;
  }
  return Verdict::keep;
}

/// A failed output says so again at every later call (base/io.h).
bool is_lost(ByteSink& output) { return !output.write({}); }

}  // namespace

Outcome run(format::Source& source, const Chain& chain, format::Sink& sink, ByteSink& output,
            Reporter& reporter, Counts& counts) {
  while (true) {
    reporter.at(0);
    auto next = source.next();
    if (!next) {
      if (is_lost(output)) return Outcome::lost;
      reporter.fail(next.error());
      return Outcome::end;
    }
    if (*next == nullptr) return Outcome::end;
    http::Exchange& exchange = **next;
    reporter.at(number_of(exchange));
    ++counts.read;

    auto verdict = run_steps(chain, exchange);
    if (verdict && *verdict == Verdict::stop) return Outcome::stopped;
    if (verdict && *verdict == Verdict::drop) continue;
    // A message a step failed on is not written: half a chain may have hidden half a secret.
    if (!verdict) {
      reporter.fail(verdict.error());
      continue;
    }
    if (auto done = sink.write(exchange); !done) {
      if (is_lost(output)) return Outcome::lost;
      reporter.fail(done.error());
      if (done.error().code == Errc::io) return Outcome::end;
    } else {
      ++counts.written;
    }
  }
}

}  // namespace rehead
