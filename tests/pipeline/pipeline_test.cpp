#include "pipeline/pipeline.h"

#include <catch2/catch.hpp>
#include <functional>

using namespace rehead;

namespace {

int status_of(Errc code) { return static_cast<int>(code); }

/// Messages numbered from 1, then the end or an error.
class FakeSource final : public format::Source {
 public:
  explicit FakeSource(std::uint64_t messages, std::optional<Error> last = {})
      : messages_(messages), last_(std::move(last)) {}
  Result<http::Exchange*> next() override {
    ++asked;
    if (message_.notes.number == messages_) {
      if (last_) return fail(*last_);
      return nullptr;
    }
    ++message_.notes.number;
    exchange_.response = &message_;
    return &exchange_;
  }
  int asked = 0;

 private:
  std::uint64_t messages_;
  std::optional<Error> last_;
  http::Message message_;
  http::Exchange exchange_;
};

/// Writes the numbers of the messages; what `trouble` says happens at some of them.
class FakeSink final : public format::Sink {
 public:
  explicit FakeSink(ByteSink& output, std::function<Status(std::uint64_t)> trouble = {})
      : output_(output), trouble_(std::move(trouble)) {}
  Status write(http::Exchange& exchange) override {
    const std::uint64_t number = exchange.response->notes.number;
    if (trouble_) {
      if (auto done = trouble_(number); !done) return done;
    }
    return output_.write(std::to_string(number));
  }

 private:
  ByteSink& output_;
  std::function<Status(std::uint64_t)> trouble_;
};

class FakeStep final : public transform::Transform {
 public:
  using Act = std::function<Result<transform::Verdict>(std::uint64_t)>;
  explicit FakeStep(Act act) : act_(std::move(act)) {}
  Result<transform::Verdict> apply(http::Exchange& exchange) override {
    return act_(exchange.response->notes.number);
  }

 private:
  Act act_;
};

/// Gives out the latest message once there are no more.
class Latest final : public transform::Transform {
 public:
  Result<transform::Verdict> apply(http::Exchange& exchange) override {
    message_.notes.number = exchange.response->notes.number;
    return transform::Verdict::drop;
  }
  Status finish(transform::Emitter& emitter) override {
    http::Exchange exchange;
    exchange.response = &message_;
    emitter.emit(exchange);
    return {};
  }

 private:
  http::Message message_;
};

class FullSink final : public ByteSink {
 public:
  Status write(std::string_view bytes) override {
    if (bytes.empty() && !failed_) return {};
    failed_ = true;
    return fail({Errc::io, "write", "full"});
  }
  Status flush() override { return write("x"); }

 private:
  bool failed_ = false;
};

struct Run {
  MemorySink output, err;
  Reporter reporter{err, status_of};
  Counts counts;
  Chain chain;
  Run() { reporter.begin_file("f"); }
  void step(FakeStep::Act act) { chain.push_back(std::make_unique<FakeStep>(std::move(act))); }
};

using transform::Verdict;

}  // namespace

TEST_CASE("pipeline: every message goes through every step to the sink") {
  Run run;
  int first = 0, second = 0;
  run.step([&](std::uint64_t) {
    ++first;
    return Verdict::keep;
  });
  run.step([&](std::uint64_t) {
    ++second;
    return Verdict::keep;
  });
  FakeSource source(3);
  FakeSink sink(run.output);
  CHECK(rehead::run(source, run.chain, sink, run.output, run.reporter, run.counts) == Outcome::end);
  CHECK(run.output.text() == "123");
  CHECK(first == 3);
  CHECK(second == 3);
  CHECK(run.counts.read == 3);
  CHECK(run.counts.written == 3);
}

TEST_CASE("pipeline: a dropped message reaches neither later steps nor the sink") {
  Run run;
  int later = 0;
  run.step([](std::uint64_t n) { return n == 2 ? Verdict::drop : Verdict::keep; });
  run.step([&](std::uint64_t) {
    ++later;
    return Verdict::keep;
  });
  FakeSource source(3);
  FakeSink sink(run.output);
  CHECK(rehead::run(source, run.chain, sink, run.output, run.reporter, run.counts) == Outcome::end);
  CHECK(run.output.text() == "13");
  CHECK(later == 2);
  CHECK(run.counts.written == 2);
}

TEST_CASE("pipeline: stop ends the reading at once") {
  Run run;
  run.step([](std::uint64_t n) { return n == 2 ? Verdict::stop : Verdict::keep; });
  FakeSource source(9);
  FakeSink sink(run.output);
  CHECK(rehead::run(source, run.chain, sink, run.output, run.reporter, run.counts) ==
        Outcome::stopped);
  CHECK(run.output.text() == "1");
  CHECK(source.asked == 2);
}

TEST_CASE("pipeline: what a step gives out at the end goes through the rest of the chain") {
  Run run;
  std::vector<std::uint64_t> before, after;
  run.step([&](std::uint64_t n) {
    before.push_back(n);
    return Verdict::keep;
  });
  run.chain.push_back(std::make_unique<Latest>());
  run.step([&](std::uint64_t n) {
    after.push_back(n);
    return Verdict::keep;
  });
  run.chain.push_back(std::make_unique<Latest>());
  FakeSink sink(run.output);
  for (const std::uint64_t messages : {3U, 5U}) {
    FakeSource source(messages);
    CHECK(rehead::run(source, run.chain, sink, run.output, run.reporter, run.counts) ==
          Outcome::end);
  }
  CHECK(run.output.text() == "35");
  CHECK(before == std::vector<std::uint64_t>{1, 2, 3, 1, 2, 3, 4, 5});
  CHECK(after == std::vector<std::uint64_t>{3, 5});
}

TEST_CASE("pipeline: what is held back comes out when a later or an earlier step stops") {
  for (const bool stop_first : {false, true}) {
    Run run;
    const auto stop = [](std::uint64_t n) { return n == 3 ? Verdict::stop : Verdict::keep; };
    if (stop_first) run.step(stop);
    run.chain.push_back(std::make_unique<Latest>());
    if (!stop_first) run.step(stop);
    FakeSource source(5);
    FakeSink sink(run.output);
    CHECK(rehead::run(source, run.chain, sink, run.output, run.reporter, run.counts) ==
          (stop_first ? Outcome::stopped : Outcome::end));
    CHECK(run.output.text() == (stop_first ? "2" : "5"));
  }
}

TEST_CASE("pipeline: an error of the source ends the file, one of a body its message") {
  Run run;
  FakeSource source(3, Error{.id = "cut", .what = "cut", .byte = 99, .message = 4});
  FakeSink sink(run.output, [](std::uint64_t n) -> Status {
    if (n == 2) return fail({Errc::transform, "bad", "bad body"});
    return {};
  });
  CHECK(rehead::run(source, run.chain, sink, run.output, run.reporter, run.counts) == Outcome::end);
  CHECK(run.output.text() == "13");
  CHECK(run.err.text() ==
        "rehead: f: message 2: error: bad body\n"
        "rehead: f: message 4, byte 99: error: cut\n");
  CHECK(run.counts.read == 3);
  CHECK(run.counts.written == 2);
}

TEST_CASE("pipeline: a message that a step failed on is not written") {
  Run run;
  run.step([](std::uint64_t n) -> Result<Verdict> {
    if (n == 1) return fail({Errc::limit, "limit", "too much"});
    return Verdict::keep;
  });
  FakeSource source(2);
  FakeSink sink(run.output);
  CHECK(rehead::run(source, run.chain, sink, run.output, run.reporter, run.counts) == Outcome::end);
  CHECK(run.output.text() == "2");
  CHECK(run.err.text() == "rehead: f: message 1: error: too much\n");
}

TEST_CASE("pipeline: an output that cannot be written ends the run, and whoever owns it tells") {
  Run run;
  FullSink full;
  FakeSource source(9);
  FakeSink sink(full);
  CHECK(rehead::run(source, run.chain, sink, full, run.reporter, run.counts) == Outcome::lost);
  CHECK(source.asked == 1);
  CHECK(run.err.text().empty());
}

TEST_CASE("pipeline: an input that cannot be read within a body ends its file") {
  Run run;
  FakeSource source(9);
  FakeSink sink(run.output, [](std::uint64_t) -> Status {
    return fail({Errc::io, "read", "cannot read"});
  });
  CHECK(rehead::run(source, run.chain, sink, run.output, run.reporter, run.counts) == Outcome::end);
  CHECK(source.asked == 1);
  CHECK(run.err.text() == "rehead: f: message 1: error: cannot read\n");
}
