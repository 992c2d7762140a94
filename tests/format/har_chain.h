// For tests: a HAR through steps given as they are typed.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/convert.h"
#include "transform/transform.h"

namespace rehead::format {

using Steps = std::vector<std::unique_ptr<transform::Transform>>;

/// "verb argument" or "verb --option": an option takes no value here.
inline Steps make_steps(const std::vector<std::string>& typed, const http::Policy& policy,
                        std::optional<http::Side> side = {}) {
  Steps steps;
  for (const std::string& words : typed) {
    const std::size_t blank = std::min(words.find(' '), words.size());
    const auto* info = transform::find(words.substr(0, blank));
    REQUIRE(info != nullptr);
    transform::Arguments arguments{.argument = {},
                                   .options = {},
                                   .selection = {side.value_or(info->side), side.has_value()},
                                   .policy = &policy};
    const std::string rest = words.substr(std::min(blank + 1, words.size()));
    if (rest.starts_with("--")) {
      arguments.options[rest.substr(2)] = {};
    } else {
      arguments.argument = rest;
    }
    auto made = info->make(arguments);
    REQUIRE(made);
    steps.push_back(std::move(*made));
  }
  return steps;
}

/// From HAR to a format, each entry through the steps.
inline Converted through(std::string_view text, const std::vector<std::string>& typed = {},
                         std::size_t step = SIZE_MAX, std::string_view to = "har",
                         std::optional<http::Side> side = {}) {
  ConvertOptions options{.from = "har", .to = to, .step = step};
  const Steps steps = make_steps(typed, options.policy, side);
  options.each = [&](http::Exchange& exchange) {
    for (const auto& each : steps) REQUIRE(each->apply(exchange));
  };
  return convert(text, options);
}

/// A HAR with one entry.
inline std::string har_of(const std::string& request, const std::string& response) {
  return R"({"log":{"version":"1.2","entries":[{"request":)" + request + R"(,"response":)" +
         response + "}]}}";
}

inline const std::string kGet = R"({"method":"GET","url":"https://a.example/","headers":[]})";

/// The response of an entry after the steps.
inline std::string response_after(const std::string& response,
                                  const std::vector<std::string>& steps) {
  const std::string before = har_of(kGet, "");
  const std::size_t begin = before.size() - 4;  // before }]}}
  const Converted done =
      through(har_of(kGet, response), steps, SIZE_MAX, "har", http::Side::response);
  CHECK(done.error.empty());
  REQUIRE(done.output.starts_with(before.substr(0, begin)));
  REQUIRE(done.output.ends_with("}]}}"));
  return done.output.substr(begin, done.output.size() - begin - 4);
}

/// The request of an entry after the steps.
inline std::string request_after(const std::string& request,
                                 const std::vector<std::string>& steps) {
  const std::string before = har_of("", "null");
  const std::size_t begin = before.find(R"(,"response")");
  const Converted done =
      through(har_of(request, "null"), steps, SIZE_MAX, "har", http::Side::request);
  CHECK(done.error.empty());
  const std::string_view tail = R"(,"response":null}]}})";
  REQUIRE(done.output.ends_with(tail));
  return done.output.substr(begin, done.output.size() - begin - tail.size());
}

}  // namespace rehead::format
