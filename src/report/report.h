// A report: a sink that answers a question instead of writing the messages, and its row in the
// table of reports. It is the last verb of its chain.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "format/sink.h"
#include "http/policy.h"
#include "transform/transform.h"

namespace rehead::report {

/// For one run. Everything pointed to outlives the report.
struct Setup {
  ByteSink* output = nullptr;
  const http::Policy* policy = nullptr;
  Diagnostics* log = nullptr;
  bool several = false;  // there is more than one input
  bool null = false;     // -0: NUL, not LF, ends a value
  bool json = false;     // --json, where ReportInfo::takes_json
};

class Report : public format::Sink {
 public:
  void begin(const Setup& setup) { setup_ = setup; }
  /// Passes interim (1xx) responses over unless a step asked for them.
  Status write(http::Exchange& exchange) final {
    if (exchange.interim() && !exchange.interim_wanted) return {};
    return take(exchange);
  }

 protected:
  virtual Status take(http::Exchange& exchange) = 0;
  const Setup& setup() const { return setup_; }
  char end() const { return setup_.null ? '\0' : '\n'; }

 private:
  Setup setup_;
};

struct ReportInfo {
  std::string_view name;      // as typed
  std::string_view argument = {};  // how the argument is called in help; empty if there is none
  std::span<const transform::Option> options = {};
  http::Side side;           // default side in an exchange
  bool judges_bodies;        // a body that is too short is an error, not a warning
  std::string_view summary;  // one line
  std::string_view help;     // paragraphs split by an empty line
  std::span<const std::string_view> examples;  // runnable in examples/, two or more
  Result<std::unique_ptr<Report>> (*make)(const transform::Arguments& arguments);
  bool joins_inputs = false;  // answers for all inputs together, not for each
  bool takes_json = false;    // --json: it answers in JSON objects, one a line
};

/// All reports, in the order of help.
std::span<const ReportInfo* const> all();

/// Writes nothing: for a chain whose last step is the answer.
std::unique_ptr<Report> make_silent();

}  // namespace rehead::report
