#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace rehead::cli {

const Options::Row* Options::find(std::string_view name) const {
  const auto row = std::ranges::find(rows_, name, &Row::name);
  return row == rows_.end() ? nullptr : &*row;
}

const Options::Row* Options::find(char letter) const {
  const auto row = std::ranges::find(rows_, letter, &Row::letter);
  return letter == '\0' || row == rows_.end() ? nullptr : &*row;
}

Options::Match Options::match(std::string_view word, std::vector<const Row*>* rows) const {
  const auto named = [&](const Row* row) {
    if (rows != nullptr && row != nullptr) rows->push_back(row);
    return row;
  };
  if (word.starts_with("--")) {
    const std::size_t equals = word.find('=');
    const Row* row = named(find(word.substr(0, equals).substr(2)));
    if (row == nullptr) return Match::unknown;
    const bool value = equals != std::string_view::npos;
    if (!row->takes_value) return value ? Match::no_value : Match::complete;
    return value ? Match::complete : Match::wants_value;
  }
  for (std::size_t i = 1; i < word.size(); ++i) {
    const Row* row = named(find(word[i]));
    if (row == nullptr) return Match::unknown;
    if (row->takes_value) return i + 1 == word.size() ? Match::wants_value : Match::complete;
  }
  return Match::complete;
}

Result<Values> Options::parse(const std::vector<std::string>& words) const {
  std::vector<const Row*> rows;       // those that were typed
  std::vector<std::string> reversed;  // as CLI11 wants them
  bool value = false;                 // the word is the value of the option before it
  for (const std::string& word : words) {
    const bool option = !value && word.starts_with('-');
    value = option && match(word, &rows) == Match::wants_value;
    // CLI11 takes an empty value behind = for a missing one, but not an empty word.
    if (option && word.starts_with("--") && word.find('=') == word.size() - 1) {
      reversed.push_back(word.substr(0, word.size() - 1));
      reversed.emplace_back();
    } else {
      reversed.push_back(word);
    }
  }
  Values values;
  if (words.empty()) return values;
  std::ranges::reverse(reversed);
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  try {
    // CLI11 takes its time with every option it is told of.
    CLI::App app;
    app.set_help_flag();
    std::vector<const CLI::Option*> options;
    for (const Row* row : rows) {
      std::string forms = "--" + std::string(row->name);
      if (row->letter != '\0') forms += std::string(",-") + row->letter;
      // One word per value, never a list: a list would split [a,b] and swallow the files behind it.
      CLI::Option* option = row->takes_value ? app.add_option(forms) : app.add_flag(forms);
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
      options.push_back(option);
    }
    app.parse(std::move(reversed));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (options[i]->count() == 0) continue;
      values[std::string(rows[i]->name)] = rows[i]->takes_value ? options[i]->results().back() : "";
    }
  } catch (const CLI::Error& error) {
    return fail({Errc::usage, "options", error.what()});
  }
  return values;
}

std::vector<std::string_view> Options::names() const {
  std::vector<std::string_view> names;
  for (const Row& row : rows_) names.push_back(row.name);
  return names;
}

std::string_view Options::library_version() { return CLI11_VERSION; }

}  // namespace rehead::cli
