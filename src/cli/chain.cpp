#include "cli/chain.h"

#include <memory>

#include "cli/suggest.h"

namespace rehead::cli {
namespace {

tl::unexpected<Error> refuse(std::string_view id, std::string what, std::string hint = {}) {
  return fail({Errc::usage, id, std::move(what), std::move(hint)});
}

bool looks_like_file(std::string_view word) {
  return word == "-" || word.find_first_of("./") != std::string_view::npos;
}

class Splitter {
 public:
  Splitter(std::span<const std::string> args, const Options& globals, Words& words)
      : args_(args), globals_(globals), words_(words) {}

  Status run() {
    if (auto done = take_all(); !done) return done;
    if (place_ != Place::files) {
      if (auto done = begin_files(); !done) return done;
    }
    return check_side();
  }

  Cursor cursor() {
    const bool understood = take_all().has_value();
    if (!open_option_.empty()) return {.place = place_, .verb = verb(), .option = open_option_};
    if (!understood || !words_.topic.empty()) return {.place = Place::nowhere};
    return {.place = place_, .verb = verb(), .wants_argument = wants_argument_};
  }

 private:
  Status take_all() {
    while (at_ < args_.size()) {
      const std::string& word = args_[at_++];
      if (word == "--") {
        if (auto done = begin_files(); !done) return done;
        words_.files.insert(words_.files.end(), args_.begin() + static_cast<long>(at_),
                            args_.end());
        return {};
      }
      const bool is_option = word.size() > 1 && word[0] == '-' && place_ != Place::help;
      if (auto done = is_option ? take_option(word) : take_word(word); !done) return done;
    }
    return {};
  }

  /// -s says which half all steps touch; between two of them it would look as if it did for one.
  Status check_side() const {
    if (side_behind_ == 0 || side_behind_ == words_.steps.size()) return {};
    return refuse("option-place", "-s between the steps of a chain",
                  "it covers the whole chain: put it before the first verb; for one step the names "
                  "choose: req:NAME, res:NAME");
  }

  /// Of the step being read, or null.
  const Verb* verb() const { return place_ == Place::step ? words_.steps.back().verb : nullptr; }

  Status take_word(const std::string& word) {
    switch (place_) {
      case Place::start:
        if (looks_like_file(word)) break;
        if (word == "help") {
          words_.help = true;
          place_ = Place::help;
          return {};
        }
        return begin_step(word);
      case Place::after_then:
        return begin_step(word);
      case Place::step:
        if (wants_argument_) {
          words_.steps.back().argument = word;
          wants_argument_ = false;
          return {};
        }
        if (word == "then") {
          place_ = Place::after_then;
          return end_step();
        }
        break;
      case Place::files:
      case Place::nowhere:
        break;
      case Place::help:
        if (!words_.topic.empty()) return refuse("help", "help takes one verb or topic");
        words_.topic = word;
        return {};
    }
    if (auto done = begin_files(); !done) return done;
    words_.files.push_back(word);
    return {};
  }

  Status begin_step(const std::string& word) {
    const Verb* verb = find_verb(word);
    if (verb == nullptr) {
      return refuse("unknown-verb", "no verb called " + echo(word), hint_for_verb(word));
    }
    words_.steps.push_back({.verb = verb, .argument = {}, .options = {}});
    std::vector<Options::Row> rows;
    for (const transform::Option& option : verb->options) {
      rows.push_back(
          {.name = option.name, .letter = option.letter, .takes_value = !option.value.empty()});
    }
    step_options_ = std::make_unique<Options>(rows);
    step_words_.clear();
    wants_argument_ = !verb->argument.empty();
    place_ = Place::step;
    return {};
  }

  Status end_step() {
    Step& step = words_.steps.back();
    if (wants_argument_) {
      const std::string usage =
          std::string(step.verb->name) + " " + std::string(step.verb->argument);
      return refuse("argument-missing",
                    std::string(step.verb->name) + " needs an argument: " + usage,
                    "rehead help " + std::string(step.verb->name));
    }
    auto values = step_options_->parse(step_words_);
    if (!values) return fail(std::move(values.error()));
    step.options = std::move(*values);
    return {};
  }

  Status begin_files() {
    const Place before = std::exchange(place_, Place::files);
    if (before == Place::step) return end_step();
    if (before == Place::after_then)
      return refuse("verb-missing", "a verb is missing after 'then'");
    return {};
  }

  Status take_option(const std::string& word) {
    if (const auto match = globals_.match(word); match != Options::Match::unknown) {
      if (place_ != Place::files && (word.starts_with("-s") || word.starts_with("--side"))) {
        side_behind_ = words_.steps.size();
      }
      return take_option(word, match, words_.globals);
    }
    if (place_ == Place::step) {
      if (const auto match = step_options_->match(word); match != Options::Match::unknown) {
        return take_option(word, match, step_words_);
      }
    }
    return refuse_option(word);
  }

  Status take_option(const std::string& word, Options::Match match,
                     std::vector<std::string>& into) {
    const std::string name = word.substr(0, word.find('='));
    if (match == Options::Match::no_value) return refuse("options", name + " takes no value");
    into.push_back(word);
    if (match == Options::Match::complete) return {};
    if (at_ == args_.size()) {
      open_option_ = word;
      return refuse("value-missing", echo(word) + " needs a value");
    }
    into.push_back(args_[at_++]);
    return {};
  }

  tl::unexpected<Error> refuse_option(const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    const Verb* here = words_.steps.empty() ? nullptr : words_.steps.back().verb;
    for (const Verb& verb : verbs()) {
      for (const transform::Option& option : verb.options) {
        if (name != "--" + std::string(option.name)) continue;
        const std::string owner(verb.name);
        if (&verb == here) {
          return refuse("option-place", echo(name) + " is an option of " + owner,
                        "it stands before or after the argument, ahead of the files");
        }
        if (place_ == Place::step) {
          return refuse("unknown-option", std::string(here->name) + " has no option " + echo(name),
                        name == "--if" ? "where EXPR then " + std::string(here->name) + " ..."
                                       : "it is an option of " + owner);
        }
        return refuse("option-place", echo(name) + " is an option of " + owner,
                      "it stands behind the verb: " + owner + " " + name);
      }
    }
    return refuse("unknown-option", "no option " + echo(name), hint_for_option(word, known()));
  }

  /// Names of the options that may stand here.
  std::vector<std::string_view> known() const {
    std::vector<std::string_view> names = globals_.names();
    if (place_ == Place::step) {
      for (const transform::Option& option : words_.steps.back().verb->options) {
        names.push_back(option.name);
      }
    }
    return names;
  }

  std::span<const std::string> args_;
  const Options& globals_;
  Words& words_;
  std::size_t at_ = 0;
  Place place_ = Place::start;
  std::unique_ptr<Options> step_options_;  // of the step being read
  std::vector<std::string> step_words_;
  bool wants_argument_ = false;
  std::size_t side_behind_ = 0;  // steps before the last -s that is not among the files
  std::string open_option_;      // the last word, if its value is missing
};

}  // namespace

Status split(std::span<const std::string> args, const Options& globals, Words& words) {
  return Splitter(args, globals, words).run();
}

Cursor find_cursor(std::span<const std::string> args, const Options& globals) {
  Words words;
  return Splitter(args, globals, words).cursor();
}

Status check_order(std::span<const Step> steps) {
  for (const Step& step : steps) {
    if (step.verb->report != nullptr && &step != &steps.back()) {
      const auto place = static_cast<std::size_t>(&step - steps.data()) + 1;
      return refuse("chain-order",
                    std::string(step.verb->name) + " (step " + std::to_string(place) +
                        ") gives an answer, nothing can come behind it",
                    "it is the last verb of a chain");
    }
  }
  return {};
}

}  // namespace rehead::cli
