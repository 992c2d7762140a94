// Runs a source into a sink in memory, for tests: the input comes in steps of a given size, from a heap
// block of exact size so that a sanitizer sees a read one byte too far.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "format/formats.h"

namespace rehead::format {

class FindingList final : public Diagnostics {
 public:
  void report(const Finding& finding) override {
    std::string line(finding.id);
    if (finding.message != 0) line += " message " + std::to_string(finding.message);
    if (finding.byte) line += " byte " + std::to_string(*finding.byte);
    if (finding.line) line += " line " + std::to_string(*finding.line);
    lines.push_back(line + ": " + finding.what);
  }
  std::vector<std::string> lines;
};

struct Converted {
  std::string output;
  std::vector<std::string> findings;
  std::string error;  // id and place, of the first Error
  std::vector<std::string> errors;
  std::size_t messages = 0;

  bool operator==(const Converted&) const = default;
};

/// Cuts the input at `cuts` (offsets, ascending) into reads.
class CutReader final : public Reader {
 public:
  CutReader(std::string_view bytes, std::vector<std::size_t> cuts, std::size_t step)
      : size_(bytes.size()), cuts_(std::move(cuts)), step_(step) {
    bytes_ = std::make_unique<char[]>(bytes.size());
    if (!bytes.empty()) std::memcpy(bytes_.get(), bytes.data(), bytes.size());
  }
  Result<std::size_t> read(std::span<char> into) override {
    std::size_t size = std::min({size_ - at_, into.size(), step_});
    for (const std::size_t cut : cuts_) {
      if (cut > at_) size = std::min(size, cut - at_);
    }
    if (size != 0) std::memcpy(into.data(), bytes_.get() + at_, size);
    at_ += size;
    return size;
  }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
  std::size_t at_ = 0;
  std::vector<std::size_t> cuts_;
  std::size_t step_;
};

struct ConvertOptions {
  std::string_view from = "http";
  std::string_view to = "http";
  http::Policy policy = {};
  std::vector<std::size_t> cuts = {};
  std::size_t step = SIZE_MAX;
  /// Called for each exchange before it is written.
  std::function<void(http::Exchange&)> each = {};
};

inline Converted convert(std::string_view input, const ConvertOptions& options = {}) {
  FindingList findings;
  MemorySink output;
  Converted result;
  const auto fail_with = [&](const Error& error) {
    std::string text(error.id);
    if (error.byte) text += " byte " + std::to_string(*error.byte);
    if (error.line) text += " line " + std::to_string(*error.line);
    result.errors.push_back(text + ": " + error.what);
    if (result.error.empty()) result.error = error.id;
  };
  auto sink = find(options.to)->make_sink(
      {.output = &output, .policy = &options.policy, .log = &findings, .selection = {}});
  auto opened = open({.reader = std::make_unique<CutReader>(input, options.cuts, options.step),
                      .file = "test",
                      .output = nullptr,
                      .policy = &options.policy,
                      .log = &findings},
                     options.from);
  if (!opened) {
    fail_with(opened.error());
    return result;
  }
  while (true) {
    auto exchange = opened->source->next();
    if (!exchange) fail_with(exchange.error());
    if (!exchange || *exchange == nullptr) break;
    if ((*exchange)->passage) {
      if (auto done = sink->pass(**exchange); !done) fail_with(done.error());
      continue;
    }
    ++result.messages;
    if (options.each) options.each(**exchange);
    if (auto done = sink->write(**exchange); !done) fail_with(done.error());
  }
  if (auto done = sink->finish(); !done) fail_with(done.error());
  result.output = output.text();
  result.findings = std::move(findings.lines);
  return result;
}

}  // namespace rehead::format
