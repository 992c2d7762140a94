#include "cli/command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/ascii.h"
#include "cli/chain.h"
#include "cli/chain_file.h"
#include "cli/complete.h"
#include "cli/global_options.h"
#include "cli/help.h"
#include "cli/suggest.h"
#include "pipeline/name_template.h"
#include "redact/rules.h"
#include "transform/step.h"

namespace rehead::cli {
namespace {

Status print(Command& command, Result<std::string> text) {
  if (!text) return fail(std::move(text.error()));
  command.kind = Command::Kind::print;
  command.text = std::move(*text);
  return {};
}

Status make_report(const report::ReportInfo& info, transform::Arguments arguments,
                   Command& command) {
  if (auto made = info.make(arguments); !made) {
    made.error().what = std::string(info.name) + ": " + made.error().what;
    return fail(std::move(made.error()));
  }
  command.job.report = [&info, arguments] { return std::move(*info.make(arguments)); };
  command.job.report_joins = info.joins_inputs;
  command.job.policy.judge_bodies = info.judges_bodies;
  return {};
}

transform::Arguments arguments_of(const Step& step, std::optional<http::Side> side,
                                  const http::Policy& policy) {
  return {.argument = step.argument,
          .options = step.options,
          .selection = {side.value_or(step.verb->side), side.has_value()},
          .policy = &policy};
}

/// True if making the step once more would not give the same: it reads what can be read once only.
bool is_made_once(const Step& step) {
  const auto once = [](const std::string& word) {
    struct stat status {};
    return word == "-" || (::stat(word.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
                           !S_ISDIR(status.st_mode));
  };
  const auto in_option = [&](const auto& option) { return once(option.second); };
  return (step.argument.starts_with('@') && once(step.argument.substr(1))) ||
         std::ranges::any_of(step.options, in_option);
}

/// Makes the chain of `steps` again.
std::function<Result<Chain>()> chain_maker(const std::vector<Step>& steps,
                                           std::optional<http::Side> side,
                                           const http::Policy& policy) {
  if (std::ranges::any_of(steps, is_made_once)) return {};
  return [steps, side, &policy]() -> Result<Chain> {
    Chain chain;
    for (const Step& step : steps) {
      if (step.verb->step == nullptr) continue;
      auto made = transform::make_step(*step.verb->step, arguments_of(step, side, policy));
      if (!made) return fail(std::move(made.error()));
      chain.push_back(std::move(*made));
    }
    return chain;
  };
}

/// `files` as typed.
Status make_step(const Step& step, const Settings& settings, const std::vector<std::string>& files,
                 Command& command) {
  const Verb& verb = *step.verb;
  const bool from_stdin = files.empty() || std::ranges::find(files, "-") != files.end();
  if (step.argument == "@-" && from_stdin) {
    return fail({Errc::usage, "input-twice",
                 std::string(verb.name) + " @- reads standard input, so do the messages",
                 "name a FILE behind the chain"});
  }
  if (step.options.contains("two-pass") && from_stdin) {
    return fail({Errc::usage, "input-twice", "standard input cannot be read twice",
                 "--two-pass is for files: name a FILE behind the chain"});
  }
  transform::Arguments arguments = arguments_of(step, settings.job.side, command.job.policy);
  struct stat named {};
  const bool text = verb.argument.ends_with("TEXT");
  if (text && files.empty() && ::stat(step.argument.c_str(), &named) == 0) {
    return fail({Errc::usage, "file-is-text",
                 echo(step.argument) + " is taken for the new text, and no file is left",
                 "the body of a file: rehead -t body FILE; from a file: " + std::string(verb.name) +
                     " @FILE; standard input is -"});
  }
  if (verb.report != nullptr) return make_report(*verb.report, std::move(arguments), command);
  auto made = transform::make_step(*verb.step, arguments);
  if (!made) return fail(std::move(made.error()));
  command.chain.push_back(std::move(*made));
  command.job.veiled = command.job.veiled || verb.step->hides;
  if (arguments.has("report")) command.receipts = arguments.get("report");
  return {};
}

/// What the last verb says about the output.
Status check_end(std::span<const Step> steps, const Settings& settings, Command& command) {
  const Verb* last = steps.empty() ? nullptr : steps.back().verb;
  const bool silent = last != nullptr && last->step != nullptr && last->step->answers;
  if (silent) {
    command.job.report = report::make_silent;
    command.job.policy.judge_bodies = false;
  }
  const bool json = last != nullptr && last->report != nullptr && last->report->takes_json &&
                    settings.job.to == "ndjson";
  if (command.job.report && settings.job.to != "auto" && !json) {
    return fail({Errc::usage, "option-value",
                 std::string(last->name) + " gives an answer, --to does not go with it",
                 "log --format json prints JSON"});
  }
  if (command.job.report && NameTemplate::has_places(settings.job.output)) {
    return fail(
        {Errc::usage, "option-value",
         std::string(last->name) + " gives one answer, --output with {...} is for messages"});
  }
  if (settings.job.null && (last == nullptr || (last->name != "get" && last->name != "names"))) {
    return fail({Errc::usage, "option-value", "-0 goes with get and names"});
  }
  return {};
}

/// Steps of the chain file, in front of the typed ones; its errors are told with its name and line.
Status read_chain_file(Settings& settings, const std::vector<std::string>& files,
                       Reporter& reporter, std::vector<Step>& steps, Command& command) {
  constexpr std::size_t kLargest = std::size_t{1} << 20;
  reporter.begin_file(settings.chain_file);
  auto text = read_file(settings.chain_file, kLargest);
  if (!text) return fail(std::move(text.error()));
  std::optional<http::Side> side;
  auto lines = read_chain(*text, side);
  if (!lines) return fail(std::move(lines.error()));
  if (!settings.job.side) settings.job.side = side;
  for (Line& line : *lines) {
    if (auto done = make_step(line.step, settings, files, command); !done) {
      done.error().line = line.number;
      return done;
    }
    steps.push_back(std::move(line.step));
  }
  reporter.begin_file({});
  return {};
}

/// Files that do not exist: words that were hardly meant as files are usage errors, and nothing is
/// rewritten if any is missing.
Status check_files(const std::vector<std::string>& files, std::span<const Step> steps,
                   const Job& job, Reporter& reporter) {
  const auto is_missing = [](const std::string& file) {
    return file != "-" && ::access(file.c_str(), F_OK) != 0 && errno == ENOENT;
  };
  for (const std::string& file : files) {
    if (!is_missing(file)) continue;
    const auto refuse = [&](std::string hint) {
      return fail({Errc::usage, "file-is-verb", "no file called " + echo(file), std::move(hint)});
    };
    if (file == "then" || find_verb(file) != nullptr) {
      return refuse("the chain stands before the files, its steps joined by 'then'");
    }
    if (steps.empty()) continue;
    const Step& last = steps.back();
    const std::string begun = std::string(last.verb->name) + " ";
    if (last.argument.ends_with(':') && last.verb->argument.find(':') != std::string_view::npos) {
      return refuse("quote name and value: " + begun + "'" + last.argument + " " + file + "'");
    }
    const bool name = ascii::is_token(file) && file.find('.') == std::string::npos;
    if (name && last.verb->argument.starts_with("NAMES")) {
      return refuse("names are joined by commas: " + begun + last.argument + "," + file);
    }
  }
  if (job.judges() || !(job.in_place || !job.output_dir.empty())) return {};
  const auto missing = std::ranges::find_if(files, is_missing);
  if (missing == files.end()) return {};
  reporter.begin_file(*missing);
  return fail(
      {Errc::io, "open", "cannot open: No such file or directory", "nothing was read or written"});
}

Status check_settings(const Settings& settings) {
  const Job& job = settings.job;
  const bool ndjson = job.to == "ndjson" || (job.to == "auto" && job.from == "ndjson");
  if (!job.bodies && !ndjson) {
    return fail({Errc::usage, "option-value", "--no-body goes with --json",
                 "-t headers writes heads alone"});
  }
  return {};
}

}  // namespace

Status parse(std::span<const std::string> args, bool terminal, Reporter& reporter,
             Command& command) {
  if (!args.empty() && args.front() == kComplete) return print(command, complete(args.subspan(1)));
  Words words;
  Settings settings;
  auto understood = split(args, global_parser(), words);
  auto applied = apply_options(words.globals, settings);
  reporter.style(settings.style);
  if (settings.help) {
    return print(command, help_on(words.steps.empty() ? "" : words.steps.back().verb->name));
  }
  if (settings.version) return print(command, version_text());
  if (!understood) return understood;
  if (!applied) return applied;
  if (words.help) return print(command, help_on(words.topic));
  for (const Step& step : words.steps) {
    if (step.options.contains("list-rules")) return print(command, redact::rules_text());
  }
  if (auto done = check_settings(settings); !done) return done;

  command.job = settings.job;
  if (settings.stats) command.job.policy.stats = &command.stats;
  command.job.policy.judge_bodies = settings.job.to != "headers";
  const bool files = settings.job.each_file();
  command.job.policy.in_place = files;
  command.job.policy.check = settings.job.check;
  command.job.policy.eol = settings.eol.value_or(files ? http::EolMode::keep : http::EolMode::crlf);
  command.job.policy.empty_fails = !settings.job.output.empty() && settings.job.output != "-";
  std::vector<Step> steps;
  if (!settings.chain_file.empty()) {
    auto done = read_chain_file(settings, words.files, reporter, steps, command);
    if (!done) return done;
    command.job.side = settings.job.side;
  }
  for (Step& step : words.steps) {
    if (auto done = make_step(step, settings, words.files, command); !done) return done;
    steps.push_back(std::move(step));
  }
  if (auto done = check_order(steps); !done) return done;
  if (auto done = check_end(steps, settings, command); !done) return done;
  command.job.another_chain = chain_maker(steps, settings.job.side, command.job.policy);
  if (settings.plan) return print(command, chain_text(steps, settings.job.side));

  if (auto done = check_files(words.files, steps, settings.job, reporter); !done) return done;
  for (const std::string& file : words.files) {
    std::error_code missing;
    if (command.receipts.empty() || command.receipts == "-") break;
    if (command.receipts != settings.job.output && command.receipts != file &&
        !std::filesystem::equivalent(command.receipts, file, missing)) {
      continue;
    }
    return fail({Errc::usage, "option-value",
                 "--report " + echo(command.receipts) + " is a file that is read or written",
                 "name another file for the report"});
  }
  command.job.files = std::move(words.files);
  if (auto done = check(command.job); !done) return done;
  if (replaces_input(command.job)) {
    command.job.policy.in_place = true;
    command.job.policy.eol = settings.eol.value_or(http::EolMode::keep);
  }
  if (command.job.files.empty() && terminal) {
    command.kind = Command::Kind::explain;
    command.text = short_help();
  }
  return {};
}

}  // namespace rehead::cli
