#include "pipeline/watch.h"

#include <catch2/catch.hpp>

#include "format/formats.h"

using namespace rehead;

namespace {

struct Quiet final : Diagnostics {
  void report(const Finding&) override {}
};

struct Seen {
  bool step_changed = false;
  std::vector<std::string> told;  // number, and what became of it
  std::string written;
};

/// Runs `input` through a chain that sets the field X, and drops the messages of these numbers.
Seen watch(std::string_view input, std::string_view value, std::vector<std::uint64_t> dropped = {},
           bool tells = true) {
  const http::Policy policy{.eol = http::EolMode::keep, .in_place = true};
  Quiet log;
  MemorySink output;
  Seen seen;
  Watch watch(tells ? [&](const ExchangeChange& change) {
    seen.told.push_back(std::to_string(change.number) + (change.dropped ? " dropped" : ""));
  } : Watch::Tell());
  auto source = watch.around(
      format::find("http")->make_source({.reader = std::make_unique<MemoryReader>(input),
                                         .file = "a",
                                         .policy = &policy,
                                         .log = &log}));
  auto sink = watch.around(
      format::find("http")->make_sink({.output = &output, .policy = &policy, .log = &log}));
  while (true) {
    auto next = source->next();
    REQUIRE(next);
    if (*next == nullptr) break;
    if ((*next)->passage) {
      REQUIRE(sink->pass(**next));
      continue;
    }
    http::Message& message = *(*next)->response;
    if (!value.empty()) REQUIRE(message.headers.set("X", value));
    if (std::ranges::find(dropped, message.notes.number) != dropped.end()) continue;
    REQUIRE(sink->write(**next));
  }
  watch.finish();
  seen.step_changed = watch.step_changed();
  seen.written = output.text();
  return seen;
}

constexpr std::string_view kTwo =
    "HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 2\r\n\r\nhi"
    "HTTP/1.1 200 OK\nX: 2\r\nContent-Length: 2\r\n\r\nho";

}  // namespace

TEST_CASE("watch: a step that sets what is there already changes nothing") {
  const Seen seen = watch("HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 2\r\n\r\nhi", "1");
  CHECK_FALSE(seen.step_changed);
  CHECK(seen.told.empty());
}

TEST_CASE("watch: line ends that are mended are not the doing of a step") {
  const Seen seen = watch(kTwo, "");
  CHECK_FALSE(seen.step_changed);
  CHECK(seen.written != kTwo);
}

TEST_CASE("watch: a false claim that is mended is told, but is no step") {
  const Seen seen = watch("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhi", "");
  CHECK_FALSE(seen.step_changed);
  CHECK(seen.told == std::vector<std::string>{"1"});
}

TEST_CASE("watch: of several messages those are told that changed") {
  const Seen seen = watch(kTwo, "2");
  CHECK(seen.step_changed);
  CHECK(seen.told == std::vector<std::string>{"1"});
}

TEST_CASE("watch: a message that is left out is a change, in its place") {
  CHECK(watch(kTwo, "2", {1}).told == std::vector<std::string>{"1 dropped"});
  CHECK(watch(kTwo, "1", {2}).told == std::vector<std::string>{"2 dropped"});
  CHECK(watch(kTwo, "", {2}, false).step_changed);
  CHECK(watch(kTwo, "3", {1}).told == std::vector<std::string>{"1 dropped", "2"});
}

TEST_CASE("watch: what is left out is told in time, however much it is") {
  const std::string head = "HTTP/1.1 204 No\r\nX: 1\r\nY: " + std::string(5000, 'y') + "\r\n\r\n";
  constexpr std::uint64_t kMany = 4000;
  std::string input;
  std::vector<std::uint64_t> all;
  for (std::uint64_t number = 1; number <= kMany; ++number) {
    input += head;
    all.push_back(number);
  }
  CHECK(watch(input, "1", all).told.size() == kMany);
  CHECK(watch(input, "1", all, false).step_changed);
}
