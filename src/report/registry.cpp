// The table of all reports. One is added by its file, one line here and one in CMakeLists.txt.
#include <array>

#include "report/report.h"

namespace rehead::report {

extern const ReportInfo kGet;
extern const ReportInfo kLog;
extern const ReportInfo kNames;
extern const ReportInfo kCount;
extern const ReportInfo kLint;

namespace {

constexpr std::array kAll = {
    &kGet, &kLog, &kNames, &kCount, &kLint,
};

class Silent final : public Report {
 private:
  Status take(http::Exchange&) override { return {}; }
};

}  // namespace

std::span<const ReportInfo* const> all() { return kAll; }

std::unique_ptr<Report> make_silent() { return std::make_unique<Silent>(); }

}  // namespace rehead::report
