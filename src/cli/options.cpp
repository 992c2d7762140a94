#include "cli/options.h"

#include <CLI/CLI.hpp>

namespace rehead::cli {
namespace {

std::string long_form(std::string_view name) { return "--" + std::string(name); }

}  // namespace

struct Options::Parser {
  CLI::App app;
  std::vector<std::string> names;
};

Options::Options(std::span<const Row> rows) : parser_(std::make_unique<Parser>()) {
  CLI::App& app = parser_->app;
  app.set_help_flag();
  for (const Row& row : rows) {
    std::string forms = long_form(row.name);
    if (row.letter != '\0') forms += std::string(",-") + row.letter;
    // One word per value, never a list: a list would split [a,b] and swallow the files behind it.
    CLI::Option* option = row.takes_value ? app.add_option(forms) : app.add_flag(forms);
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    parser_->names.emplace_back(row.name);
  }
}

Options::~Options() = default;

Options::Match Options::match(std::string_view word) const {
  const auto find = [&](std::string_view name) {
    return std::as_const(parser_->app).get_option_no_throw(std::string(name));
  };
  const auto is_flag = [](const CLI::Option* option) {
    return option->get_items_expected_max() == 0;
  };
  if (word.starts_with("--")) {
    const std::size_t equals = word.find('=');
    const CLI::Option* option = find(word.substr(0, equals));
    if (option == nullptr) return Match::unknown;
    if (is_flag(option)) {
      return equals == std::string_view::npos ? Match::complete : Match::no_value;
    }
    return equals == std::string_view::npos ? Match::wants_value : Match::complete;
  }
  for (std::size_t i = 1; i < word.size(); ++i) {
    const CLI::Option* option = find(std::string("-") + word[i]);
    if (option == nullptr) return Match::unknown;
    if (!is_flag(option)) return i + 1 == word.size() ? Match::wants_value : Match::complete;
  }
  return Match::complete;
}

Result<Values> Options::parse(const std::vector<std::string>& words) const {
  std::vector<std::string> reversed;  // as CLI11 wants them
  bool value = false;                 // the word is the value of the option before it
  for (const std::string& word : words) {
    const bool option = !value && word.starts_with('-');
    value = option && match(word) == Match::wants_value;
    // CLI11 takes an empty value behind = for a missing one, but not an empty word.
    if (option && word.starts_with("--") && word.find('=') == word.size() - 1) {
      reversed.push_back(word.substr(0, word.size() - 1));
      reversed.emplace_back();
    } else {
      reversed.push_back(word);
    }
  }
  std::ranges::reverse(reversed);
  Values values;
  try {
    parser_->app.clear();
    parser_->app.parse(std::move(reversed));
    for (const std::string& name : parser_->names) {
      const CLI::Option* option = parser_->app.get_option(long_form(name));
      if (option->count() == 0) continue;
      values[name] = option->get_items_expected_max() == 0 ? "" : option->results().back();
    }
  } catch (const CLI::Error& error) {
    return fail({Errc::usage, "options", error.what()});
  }
  return values;
}

std::vector<std::string_view> Options::names() const {
  return {parser_->names.begin(), parser_->names.end()};
}

std::string_view Options::library_version() { return CLI11_VERSION; }

}  // namespace rehead::cli
