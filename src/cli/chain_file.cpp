#include "cli/chain_file.h"

#include <algorithm>

#include "base/ascii.h"
#include "cli/suggest.h"

namespace rehead::cli {
namespace {

struct LineWords {
  std::vector<std::string> words;
  std::uint64_t number;
};

/// Cuts text into lines of words. A quoted word may hold line breaks.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  Result<std::vector<LineWords>> run() {
    std::vector<LineWords> lines;
    while (at_ < text_.size()) {
      LineWords line{{}, number_};
      while (at_ < text_.size() && !line_ends()) {
        if (ascii::is_blank(text_[at_])) {
          ++at_;
        } else if (text_[at_] == '#') {
          at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (auto word = take_word(); word) {
          line.words.push_back(std::move(*word));
        } else {
          return fail(std::move(word.error()));
        }
      }
      end_line();
      if (!line.words.empty()) lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  bool line_ends() const { return text_[at_] == '\n' || text_.substr(at_).starts_with("\r\n"); }
  void end_line() {
    at_ = std::min(text_.find('\n', at_), text_.size());
    if (at_ < text_.size()) ++at_;
    ++number_;
  }

  Result<std::string> take_word() {
    std::string word;
    while (at_ < text_.size() && !line_ends() && !ascii::is_blank(text_[at_])) {
      const char c = text_[at_++];
      if (c == '\'' || c == '"') {
        if (auto done = take_quoted(c, word); !done) return fail(std::move(done.error()));
      } else if (c == '\\' && at_ < text_.size()) {
        take_escaped(word);
      } else {
        word += c;
      }
    }
    return word;
  }

  Status take_quoted(char quote, std::string& word) {
    const std::uint64_t begun = number_;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == quote) return {};
      if (c == '\n') ++number_;
      // Within double quotes a backslash means something before these alone, as in a shell.
      const bool escape = quote == '"' && c == '\\' && at_ < text_.size() &&
                          std::string_view("\"\\$`\n").find(text_[at_]) != std::string_view::npos;
      if (escape) {
        take_escaped(word);
      } else {
        word += c;
      }
    }
    return fail({Errc::usage,
                 "chain-quote",
                 std::string("the quote ") + quote + " is not closed",
                 {},
                 {},
                 begun});
  }

  /// What follows a backslash: a line break vanishes, anything else stands for itself.
  void take_escaped(std::string& word) {
    const char c = text_[at_++];
    if (c == '\n') {
      ++number_;
    } else {
      word += c;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t number_ = 1;
};

std::string_view side_name(http::Side side) {
  if (side == http::Side::both) return "both sides";
  return side == http::Side::request ? "requests" : "responses";
}

bool is_flag(const Verb& verb, std::string_view name) {
  const auto option = std::ranges::find(verb.options, name, &transform::Option::name);
  return option != verb.options.end() && option->value.empty();
}

std::string_view body_of(const Verb& verb) {
  if (verb.step == nullptr || verb.step->streaming == transform::Streaming::heads)
    return "heads only";
  if (verb.step->streaming == transform::Streaming::asked) return "bodies are held if asked for";
  return verb.step->streaming == transform::Streaming::stream ? "bodies stream" : "bodies are held";
}

}  // namespace

Result<std::vector<Line>> read_chain(std::string_view text) {
  auto lines = Tokens(text).run();
  if (!lines) return fail(std::move(lines.error()));
  const Options none{{}};
  std::vector<Line> steps;
  for (const LineWords& line : *lines) {
    const auto refuse = [&](Error error) {
      error.line = line.number;
      return fail(std::move(error));
    };
    Words words;
    if (auto done = split(line.words, none, words); !done) return refuse(std::move(done.error()));
    // On the command line this first word would be help or a file.
    if (words.steps.empty()) {
      return refuse({Errc::usage, "unknown-verb", "no verb called " + echo(line.words.front())});
    }
    if (!words.files.empty()) {
      return refuse(
          {Errc::usage, "chain-file", "a word too many: " + echo(words.files.front()),
           "a chain holds verbs, their options and arguments; files come on the command line"});
    }
    for (Step& step : words.steps) steps.push_back({std::move(step), line.number});
  }
  return steps;
}

std::string shell_word(std::string_view word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return ascii::is_digit(c) || (ascii::lower(c) >= 'a' && ascii::lower(c) <= 'z') ||
           std::string_view("@%+=:,./_-").find(c) != std::string_view::npos;
  });
  if (plain) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string chain_text(std::span<const Step> steps, std::optional<http::Side> side) {
  constexpr std::size_t kComment = 40;  // the column of comments, where lines are short
  std::string out;
  for (const Step& step : steps) {
    std::string line(step.verb->name);
    if (!step.verb->argument.empty()) line += " " + shell_word(step.argument);
    for (const auto& [name, value] : step.options) {
      line += " --" + name;
      if (!is_flag(*step.verb, name)) line += " " + shell_word(value);
    }
    line.resize(std::max(line.size() + 2, kComment), ' ');
    out += line + "# " + std::string(side_name(side.value_or(step.verb->side))) + ", " +
           std::string(body_of(*step.verb)) + "\n";
  }
  return out;
}

}  // namespace rehead::cli
