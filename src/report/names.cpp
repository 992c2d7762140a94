// names: an inventory of field names, in alphabetical order, over all inputs:
//
//   NAME TAB messages that have it TAB field lines
//
// Names are told apart without regard to case and spelt as first seen; those of requests are
// written req:NAME, as every other verb takes them.
#include <array>
#include <map>

#include "base/ascii.h"
#include "codec/content.h"
#include "report/report.h"

namespace rehead::report {
namespace {

class Names final : public Report {
 public:
  Names(http::Selection selection, const http::Policy& policy)
      : selection_(selection), content_(policy) {}

  Status finish() override {
    for (const auto& [key, entry] : entries_) {
      const std::string line = entry.name + '\t' + std::to_string(entry.messages) + '\t' +
                               std::to_string(entry.lines) + end();
      if (auto done = setup().output->write(line); !done) return done;
    }
    entries_.clear();
    return {};
  }

 private:
  struct Entry {
    std::string name;
    std::uint64_t messages = 0;
    std::uint64_t lines = 0;
    std::uint64_t seen_in = 0;  // the message that was counted last
  };

  Status take(http::Exchange& exchange) override {
    content_.forget();
    if (auto done = content_.settle(exchange); !done) return done;
    return exchange.for_each([&](http::Message& message) -> Status {
      if (!selection_.covers(exchange, message.kind)) return {};
      ++message_;
      for (const http::Field& field : message.headers) add(message.kind, field.name());
      return {};
    });
  }

  void add(http::Kind kind, std::string_view name) {
    key_ = kind == http::Kind::request ? "req:" : "";
    for (const char c : name) key_ += ascii::lower(c);
    const auto [place, fresh] = entries_.try_emplace(key_);
    Entry& entry = place->second;
    if (fresh) entry.name = key_.substr(0, key_.size() - name.size()) + std::string(name);
    ++entry.lines;
    if (entry.seen_in != message_) ++entry.messages;
    entry.seen_in = message_;
  }

  http::Selection selection_;
  codec::Content content_;
  std::map<std::string, Entry> entries_;  // by lower-case name
  std::string key_;
  std::uint64_t message_ = 0;
};

Result<std::unique_ptr<Report>> make(const transform::Arguments& arguments) {
  return std::make_unique<Names>(arguments.selection, *arguments.policy);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead names examples/data/redirect.http",
    "rehead names examples/data/cookies.http | sort -nrk2",
};

}  // namespace

extern const ReportInfo kNames = {
    .name = "names",
    .side = http::Side::both,
    .judges_bodies = false,
    .summary = "list field names with counts",
    .help =
        "One line per field name, over all inputs: the name, how many messages have it, and "
        "how many field lines there are, with TABs between. Names of request fields stand as "
        "req:NAME. The order is alphabetical; names that differ in case are one.",
    .examples = kExamples,
    .make = make,
    .joins_inputs = true,
};

}  // namespace rehead::report
