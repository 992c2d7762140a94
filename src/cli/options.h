// Which options there are and what a list of option words says. The only door to CLI11.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rehead::cli {

/// Options as typed, by name; a flag has an empty value. Of a repeated option the last one counts.
using Values = std::map<std::string, std::string>;

class Options {
 public:
  struct Row {
    std::string_view name;     // without the dashes
    char letter = '\0';        // the short form, if there is one
    bool takes_value = false;  // else it is a flag
  };
  enum class Match : std::uint8_t {
    unknown,      // no such option
    complete,     // the word says it all
    wants_value,  // the next word is its value, whatever it looks like
    no_value,     // a value was given to a flag
  };

  explicit Options(std::span<const Row> rows) : rows_(rows.begin(), rows.end()) {}

  /// How a word that begins with a dash and is longer than that stands to these options:
  /// --name, --name=value, -x, -xVALUE, -xyz for three flags. Their rows are added to `rows`.
  Match match(std::string_view word, std::vector<const Row*>* rows = nullptr) const;
  /// The words of options that match(), each with its value behind it where it wants one.
  Result<Values> parse(const std::vector<std::string>& words) const;
  /// All names, in the order of the rows.
  std::vector<std::string_view> names() const;
  /// The version of the library behind this.
  static std::string_view library_version();

 private:
  const Row* find(std::string_view name) const;
  const Row* find(char letter) const;
  std::vector<Row> rows_;
};

}  // namespace rehead::cli
