// Once warm, a step on the map takes no memory from the heap for a message (house rule for the
// map).
#include <catch2/catch.hpp>
#include <string>

#include "support/allocations.h"
#include "transform/harness.h"

namespace rehead::transform {
namespace {

TEST_CASE("transform: steps on the map take no memory from the heap once warm") {
  struct Case {
    std::string_view step;
    std::string argument;
  };
  const Case cases[] = {
      {"set", "X-Some-Long-Name: a value"},
      {"set", "Server: a value that is new"},
      {"add", "Vary: Origin"},
      {"remove", "server,x-*"},
      {"keep", "content-*"},
      {"rename", "server=X-Engine"},
      {"lower", ""},
      {"strip-hop", ""},
      {"content-length", ""},
      {"content-type", "text/html"},
      {"dechunk", ""},
      {"split-cookies", ""},
      {"merge-cookies", ""},
      {"remove-cookie", "lang"},
      {"set-cookie", "sid=0123456789abcdef; Path=/"},
      {"set-cookie", "*; SameSite=None; Secure"},
  };
  constexpr std::string_view kHead[][2] = {
      {"Server", "nginx"},
      {"X-Powered-By-Something-Long", "Express"},
      {"Set-Cookie", "sid=fedcba9876543210; Path=/; HttpOnly, lang=en-GB; Path=/"},
      {"Set-Cookie", "sid=0; Path=/"},
      {"Connection", "keep-alive"},
      {"Transfer-Encoding", "chunked"},
      {"Vary", "Cookie"},
  };
  const http::Policy policy;
  for (const Case& one : cases) {
    const TransformInfo& info = *find(one.step);
    Arguments arguments;
    arguments.argument = one.argument;
    arguments.selection = {.side = info.side};
    arguments.policy = &policy;
    auto step = info.make(arguments);
    REQUIRE(step);
    Findings log;
    TextSource source;
    http::Body body;
    http::Message message;
    http::Exchange exchange;
    exchange.response = &message;
    message.log = &log;
    std::uint64_t taken = 0;
    for (int round = 0; round < 8; ++round) {
      message.clear();
      message.start.set_status(200);
      message.notes.framing = http::Framing::chunked;
      body.start(source, source, std::nullopt);
      message.body = &body;
      for (const auto& [name, value] : kHead) {
        message.headers.load({.name_at = name.data(),
                              .value_at = value.data(),
                              .name_size = static_cast<std::uint32_t>(name.size()),
                              .value_size = static_cast<std::uint32_t>(value.size())});
      }
      const std::uint64_t before = test::allocations();
      const auto verdict = (*step)->apply(exchange);
      if (round >= 4) taken += test::allocations() - before;
      REQUIRE(verdict);
    }
    CAPTURE(one.step, one.argument);
    CHECK(taken == 0);
  }
}

}  // namespace
}  // namespace rehead::transform
