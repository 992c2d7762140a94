// count: how many messages (entries) came this far. One number; `FILE:N` for each of several
// inputs.
#include <array>

#include "base/ascii.h"
#include "http/pseudo_field.h"
#include "report/report.h"

namespace rehead::report {
namespace {

class Count final : public Report {
 public:
  explicit Count(http::Selection selection) : selection_(selection) {}

  Status end_input(std::string_view file) override {
    std::string line = setup().several ? ascii::one_line(file) + ":" : "";
    line += std::to_string(count_) + '\n';
    count_ = 0;
    return setup().output->write(line);
  }

 private:
  Status take(http::Exchange& exchange) override {
    const bool counts =
        !exchange.alone() || selection_.covers(exchange, http::subject_of(exchange)->kind);
    count_ += counts ? 1U : 0U;
    return {};
  }

  http::Selection selection_;
  std::uint64_t count_ = 0;
};

Result<std::unique_ptr<Report>> make(const transform::Arguments& arguments) {
  return std::make_unique<Count>(arguments.selection);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead where 'status>=400' then count examples/data/api.http",
    "cd examples/data && rehead count *.http",
};

}  // namespace

extern const ReportInfo kCount = {
    .name = "count",
    .side = http::Side::both,
    .judges_bodies = false,
    .summary = "count messages",
    .help =
        "How many messages (HAR entries) the chain lets through. For several inputs a line "
        "FILE:N each. Interim (1xx) responses are not counted unless where asks for them.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::report
