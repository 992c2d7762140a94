// A chain as typed over an input in memory: what is written, what is said, the exit status.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "cli/chain_file.h"
#include "format/convert.h"
#include "pipeline/pipeline.h"
#include "report/report.h"
#include "transform/step.h"

namespace rehead {

struct Ran {
  std::string out;
  std::string err;
  int status = 0;
};

struct RunOptions {
  std::string_view from = "auto";
  std::string_view to = "http";
  std::optional<http::Side> side = {};
  bool null = false;
  bool several = false;
  http::Policy policy = {};
};

/// `chain`: one step a line, as in a chain file.
inline Ran run_chain(std::string_view chain, std::string_view input, RunOptions options = {}) {
  MemorySink out, err;
  Reporter reporter(err, [](Errc code) { return code == Errc::syntax ? 3 : 4; });
  std::optional<http::Side> side = options.side;
  auto lines = cli::read_chain(chain, side);
  if (!lines) FAIL(lines.error().what);
  Chain steps;
  std::unique_ptr<format::Sink> sink;
  for (const cli::Line& line : *lines) {
    const cli::Verb& verb = *line.step.verb;
    const transform::Arguments arguments{
        .argument = line.step.argument,
        .options = line.step.options,
        .selection = {side.value_or(verb.side), side.has_value()},
        .policy = &options.policy};
    if (verb.report != nullptr) {
      auto made = verb.report->make(arguments);
      if (!made) FAIL(made.error().what);
      options.policy.judge_bodies = verb.report->judges_bodies;
      (*made)->begin({.output = &out,
                      .policy = &options.policy,
                      .log = &reporter,
                      .several = options.several,
                      .null = options.null});
      sink = std::move(*made);
    } else {
      auto made = transform::make_step(*verb.step, arguments);
      if (!made) FAIL(made.error().what);
      steps.push_back(std::move(*made));
    }
  }
  if (!sink) {
    sink = format::find(options.to)
               ->make_sink(
                   {.output = &out, .policy = &options.policy, .log = &reporter, .selection = {}});
  }
  reporter.begin_file("f");
  auto opened = format::open({.reader = std::make_unique<MemoryReader>(input),
                              .file = "f",
                              .output = &out,
                              .policy = &options.policy,
                              .log = &reporter},
                             options.from);
  if (!opened) FAIL(opened.error().what);
  Counts counts;
  run(*opened->source, steps, *sink, out, reporter, counts);
  CHECK(sink->end_input("f"));
  reporter.end_file(counts);
  CHECK(sink->finish());
  return {out.text(), err.text(), reporter.finish()};
}

}  // namespace rehead
