#include "report/log_time.h"

#include <array>
#include <optional>

#include "base/ascii.h"

namespace rehead::report {
namespace {

constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";

/// True if `text` has the form of `pattern`: 0 stands for a digit, A for a letter, other signs for
/// themselves.
bool has_form(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char lower = ascii::lower(text[i]);
    const bool fits = pattern[i] == '0'   ? ascii::is_digit(text[i])
                      : pattern[i] == 'A' ? lower >= 'a' && lower <= 'z'
                                          : text[i] == pattern[i];
    if (!fits) return false;
  }
  return true;
}

/// 2025-01-14T09:13:02.123+01:00
std::optional<std::string> from_iso(std::string_view text) {
  if (!has_form(text, "0000-00-00T00:00:00")) return std::nullopt;
  const auto month = ascii::decimal(text.substr(5, 2));
  if (*month < 1 || *month > 12) return std::nullopt;
  std::string_view zone = text.substr(19);
  if (zone.starts_with('.')) zone = zone.substr(std::min(zone.find_first_of("Zz+-"), zone.size()));
  std::string offset = "+0000";
  if (has_form(zone.substr(0, 1), "+") || has_form(zone.substr(0, 1), "-")) {
    if (!has_form(zone.substr(1), "00:00")) return std::nullopt;
    offset = std::string(zone.substr(0, 3)) + std::string(zone.substr(4, 2));
  }
  return std::string(text.substr(8, 2)) + '/' + std::string(kMonths.substr((*month - 1) * 3, 3)) +
         '/' + std::string(text.substr(0, 4)) + ':' + std::string(text.substr(11, 8)) + ' ' +
         offset;
}

/// Tue, 14 Jan 2025 09:13:02 GMT
std::optional<std::string> from_imf(std::string_view text) {
  if (!has_form(text, "AAA, 00 AAA 0000 00:00:00 GMT") || text.size() != 29) return std::nullopt;
  return std::string(text.substr(5, 2)) + '/' + std::string(text.substr(8, 3)) + '/' +
         std::string(text.substr(12, 4)) + ':' + std::string(text.substr(17, 8)) + " +0000";
}

}  // namespace

std::string log_time(std::string_view time, std::string_view date) {
  auto known = from_iso(time);
  if (!known) known = from_imf(date);
  return known.value_or("-");
}

}  // namespace rehead::report
