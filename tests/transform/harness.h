// Drives one step over a hand-made message: text in, fields out.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/exchange.h"
#include "http/policy.h"
#include "transform/new_content.h"
#include "transform/transform.h"

namespace rehead::transform {

/// Collects what is reported.
class Findings final : public Diagnostics {
 public:
  void report(const Finding& finding) override { all.push_back(finding); }
  /// The ids, separated by blanks.
  std::string ids() const;

  std::vector<Finding> all;
};

using Options = std::map<std::string, std::string>;

/// A message from text with LF line ends: start line, fields, empty line, content. Without the
/// empty line it has no body. A value may hold \r or \0, and \n as LF (a joined value of HAR is
/// made by join()).
class Drive {
 public:
  explicit Drive(std::string_view text);
  Drive(const Drive&) = delete;
  Drive& operator=(const Drive&) = delete;

  /// Makes the step and applies it, with the verb's default side.
  Status run(std::string_view step, std::string argument = {}, Options options = {});
  /// As one half of an entry (HAR), not a message on its own.
  void as_entry() { exchange.number = 1; }
  /// Marks the n-th field (from 0) as joined to the one before it.
  void join(std::size_t index);

  /// "Name: value" lines.
  std::string fields() const;
  std::string content();

  http::Message message;
  http::Exchange exchange;
  Findings log;

 private:
  std::string text_;
  http::Policy policy_;
  TextSource source_;
  http::Body body_;
  std::vector<std::unique_ptr<Transform>> steps_;
};

/// A file of these bytes that goes when this does.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What make() says about these words; Errc::io with an empty text if it takes them.
Error refusal(std::string_view step, std::string argument, Options options = {});
/// True if make() refuses these words as wrong usage.
bool refuses(std::string_view step, std::string argument, Options options = {});

}  // namespace rehead::transform
