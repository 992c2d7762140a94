#include "cli/stats_text.h"

#include <string_view>
#include <utility>

#include "codec/json_writer.h"

namespace rehead::cli {
namespace {

/// Seconds with six digits behind the point.
std::string seconds(std::uint64_t nanoseconds) {
  const std::string micro = std::to_string(nanoseconds / 1000 % 1'000'000);
  return std::to_string(nanoseconds / 1'000'000'000) + "." + std::string(6 - micro.size(), '0') +
         micro;
}

}  // namespace

std::string stats_text(const Stats& stats) {
  const auto total = std::chrono::nanoseconds(Stats::Clock::now() - stats.start).count();
  const std::pair<std::string_view, std::uint64_t> counts[] = {
      {"files", stats.files},
      {"messages", stats.messages},
      {"header_maps", stats.header_maps},
      {"bytes_in", stats.bytes_in},
      {"bytes_out", stats.bytes_out},
      {"bodies_decoded", stats.bodies_decoded},
      {"allocations", allocations()},
  };
  std::string out;
  codec::JsonWriter json(out);
  json.open('{');
  for (const auto& [name, count] : counts) json.key(name).number(count);
  json.key("seconds").open('{');
  json.key("reading").raw(seconds(stats.reading)).key("steps").raw(seconds(stats.steps));
  json.key("writing").raw(seconds(stats.writing));
  json.key("total").raw(seconds(static_cast<std::uint64_t>(total)));
  json.close('}').close('}').end_line();
  return out;
}

}  // namespace rehead::cli
