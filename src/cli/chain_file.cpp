#include "cli/chain_file.h"

#include <algorithm>

#include "base/ascii.h"
#include "cli/global_options.h"
#include "cli/suggest.h"
#include "http/field_name.h"
#include "http/pseudo_field.h"

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
        } else if (joins_lines()) {
          at_ = text_.find('\n', at_) + 1;
          ++number_;
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
  /// A backslash at the end of a line, also before CRLF.
  bool joins_lines() const {
    const std::string_view rest = text_.substr(at_);
    return rest.starts_with("\\\n") || rest.starts_with("\\\r\n");
  }
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

bool is_side(std::string_view word) {
  return word.starts_with("-s") || word == "--side" || word.starts_with("--side=");
}

/// `last`: the step it stands behind; null if there is none.
tl::unexpected<Error> too_many(std::string_view word, const Step* last) {
  std::string hint =
      "a chain holds verbs, their options and arguments; files come on the command line";
  const bool expression = last != nullptr && last->verb->argument.starts_with("EXPR");
  if (expression || (last != nullptr && last->argument.ends_with(':'))) {
    hint = "quote what holds blanks: " + std::string(last->verb->name) + " '" + last->argument +
           " " + std::string(word) + (expression ? " ...'" : "'");
  } else if (last != nullptr && last->argument.ends_with(',')) {
    hint = "a list holds no blanks: " + std::string(last->verb->name) + " " + last->argument +
           std::string(word);
  }
  return fail({Errc::usage, "chain-file", "a word too many: " + echo(word), std::move(hint)});
}

std::string_view side_name(http::Side side) {
  if (side == http::Side::both) return "both sides";
  return side == http::Side::request ? "requests" : "responses";
}

bool is_flag(const Verb& verb, std::string_view name) {
  const auto option = std::ranges::find(verb.options, name, &transform::Option::name);
  return option != verb.options.end() && option->value.empty();
}

std::string_view global_side(http::Side side) {
  if (side == http::Side::both) return "both";
  return side == http::Side::request ? "request" : "response";
}

/// The half of an exchange whose field or pseudo-field the step names; the default if it names
/// none.
http::Side side_of(const Step& step, std::optional<http::Side> chosen) {
  using http::PseudoField;
  const http::Selection otherwise{chosen.value_or(step.verb->side), chosen.has_value()};
  const std::string_view form = step.verb->argument;
  const bool names = form.starts_with("NAMES") || form.starts_with("OLD");
  if (step.verb->group == "cookies" || step.argument.starts_with('@') ||
      (!names && form.find("NAME") == std::string_view::npos)) {
    return otherwise.side;
  }
  std::string_view text = step.argument;
  if (!names && text.starts_with(':')) {
    const auto field = http::find_pseudo_field(text.substr(1, text.find(':', 1) - 1));
    if (!field || http::is_of_message(*field)) return otherwise.side;
    const bool answer = field == PseudoField::status || field == PseudoField::reason;
    return answer ? http::Side::response : http::Side::request;
  }
  std::vector<http::FieldName> fields;
  if (names) {
    auto parsed = http::parse_names(text.substr(0, text.find('=')), otherwise, true);
    if (parsed) fields = std::move(*parsed);
  } else if (auto parsed = http::take_names(text, otherwise); parsed) {
    fields.push_back(std::move(*parsed));
  }
  if (fields.empty()) return otherwise.side;
  const http::Side first = fields.front().selection.side;
  const bool same = std::ranges::all_of(
      fields, [&](const http::FieldName& name) { return name.selection.side == first; });
  return same ? first : http::Side::both;
}

std::string_view body_of(const Verb& verb) {
  if (verb.step == nullptr || verb.step->streaming == transform::Streaming::heads)
    return "heads only";
  if (verb.step->streaming == transform::Streaming::asked) return "bodies are held if asked for";
  return verb.step->streaming == transform::Streaming::stream ? "bodies stream" : "bodies are held";
}

}  // namespace

Result<std::vector<Line>> read_chain(std::string_view text, std::optional<http::Side>& side) {
  auto lines = Tokens(text).run();
  if (!lines) return fail(std::move(lines.error()));
  const Options none{{}};
  std::vector<Line> steps;
  for (const LineWords& line : *lines) {
    const auto refuse = [&](Error error) {
      error.line = line.number;
      return fail(std::move(error));
    };
    if (&line == &lines->front() && is_side(line.words.front())) {
      Settings settings;
      auto done = line.words.size() > 2 ? Status(too_many(line.words.back(), nullptr))
                                        : apply_options(line.words, settings);
      if (!done) return refuse(std::move(done.error()));
      side = settings.job.side;
      continue;
    }
    Words words;
    if (auto done = split(line.words, none, words); !done) return refuse(std::move(done.error()));
    // On the command line this first word would be help or a file.
    if (words.steps.empty()) {
      return refuse({Errc::usage, "unknown-verb", "no verb called " + echo(line.words.front())});
    }
    if (!words.files.empty()) {
      return refuse(
          Error(too_many(words.files.front(), words.steps.empty() ? nullptr : &words.steps.back())
                    .value()));
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

std::string chain_text(std::span<const Step> steps, std::optional<http::Side> chosen) {
  constexpr std::size_t kComment = 40;  // the column of comments, where lines are short
  std::string out;
  if (chosen) out = "-s " + std::string(global_side(*chosen)) + "\n";
  for (const Step& step : steps) {
    std::string line(step.verb->name);
    if (!step.verb->argument.empty()) line += " " + shell_word(step.argument);
    for (const auto& [name, value] : step.options) {
      line += " --" + name;
      if (!is_flag(*step.verb, name)) line += " " + shell_word(value);
    }
    line.resize(std::max(line.size() + 2, kComment), ' ');
    out += line + "# " + std::string(side_name(side_of(step, chosen))) + ", " +
           std::string(body_of(*step.verb)) + "\n";
  }
  return out;
}

}  // namespace rehead::cli
