// The texts behind `rehead help TOPIC`, except the one on options, which the table of options
// gives.
#pragma once

#include <span>
#include <string_view>

namespace rehead::cli {

struct Topic {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view text;     // lines of at most 80 characters
};

std::span<const Topic> topics();

}  // namespace rehead::cli
