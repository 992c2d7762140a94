// Runs steps over raw messages, from source to sink, for the tests of what recodes bodies.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "codec/content_coding.h"
#include "format/convert.h"
#include "support/pieces.h"
#include "transform/transform.h"

namespace rehead::transform {

using Options = std::map<std::string, std::string>;

/// One step of a chain.
struct Step {
  std::string verb;
  Options options = {};
};

/// A message with LF ends in its head turned into CRLF, then `body`.
inline std::string message(std::string_view head, std::string_view body) {
  std::string text;
  for (const char c : head) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return text + "\r\n" + std::string(body);
}

inline format::Converted run(const std::vector<Step>& steps, std::string_view input,
                             http::Policy policy = {}, std::size_t cut = SIZE_MAX) {
  std::vector<std::unique_ptr<Transform>> chain;
  for (const Step& step : steps) {
    Arguments arguments;
    arguments.options = step.options;
    arguments.policy = &policy;
    auto made = find(step.verb)->make(arguments);
    REQUIRE(made);
    chain.push_back(std::move(*made));
  }
  std::string failed;
  format::ConvertOptions options{.policy = policy, .step = cut};
  options.each = [&](http::Exchange& exchange) {
    for (const auto& step : chain) {
      if (auto verdict = step->apply(exchange); !verdict) failed = verdict.error().id;
    }
  };
  format::Converted result = format::convert(input, options);
  if (!failed.empty()) result.error = failed;
  return result;
}

/// The head as lines with LF ends, without the empty one.
inline std::string head_of(const std::string& text) {
  std::string head;
  for (const char c : text.substr(0, text.find("\r\n\r\n") + 2)) {
    if (c != '\r') head += c;
  }
  return head;
}
inline std::string body_of(const std::string& text) {
  return text.substr(text.find("\r\n\r\n") + 4);
}

inline std::string coded(http::Coding coding, const std::string& content) {
  test::Pieces upstream(content);
  codec::Encoder encoder(coding, {});
  encoder.use(false);
  encoder.attach(upstream);
  return test::drain(encoder).bytes;
}

inline std::string decoded(http::Coding coding, const std::string& bytes) {
  const http::Policy policy;
  test::Log log;
  test::Pieces upstream(bytes);
  codec::Decoder decoder(policy);
  REQUIRE(decoder.use(std::span(&coding, 1), log));
  decoder.attach(upstream);
  auto all = test::drain(decoder);
  REQUIRE_FALSE(all.error);
  REQUIRE(log.texts.empty());
  return all.bytes;
}

}  // namespace rehead::transform
