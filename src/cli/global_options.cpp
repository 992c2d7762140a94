#include "cli/global_options.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "cli/suggest.h"
#include "format/formats.h"
#include "pipeline/name_template.h"

namespace rehead::cli {
namespace {

tl::unexpected<Error> refuse(std::string what, std::string hint = {}) {
  return fail({Errc::usage, "option-value", std::move(what), std::move(hint)});
}

template <typename Value>
struct Choice {
  std::string_view name;
  Value value;
};

/// Sets `target` to the choice of that name.
template <typename Value, std::size_t N>
Status choose(std::string_view option, std::string_view typed, const Choice<Value> (&choices)[N],
              Value& target) {
  std::string names;
  for (const Choice<Value>& choice : choices) {
    if (choice.name == typed) {
      target = choice.value;
      return {};
    }
    names += (names.empty() ? "" : ", ") + std::string(choice.name);
  }
  return refuse(std::string(option) + " takes one of " + names + ", not " + echo(typed));
}

template <typename Number>
Status size(std::string_view option, std::string_view typed, Number& target) {
  const auto bytes = ascii::parse_size(typed);
  if (!bytes) {
    return refuse(std::string(option) + " takes a size such as 4096, 64k, 8M or 1G, not " +
                  echo(typed));
  }
  target = static_cast<Number>(*bytes);
  return {};
}

/// A format that can be read (or written), "auto" too.
Status format_name(std::string_view option, std::string_view typed, bool read,
                   std::string& target) {
  std::string names = "auto";
  bool found = typed == "auto";
  for (const format::FormatInfo& format : format::all()) {
    if (read ? format.make_source == nullptr : format.make_sink == nullptr) continue;
    names += ", " + std::string(format.name);
    found = found || format.name == typed;
  }
  if (!found) {
    return refuse(std::string(option) + " takes one of " + names + ", not " + echo(typed),
                  hint_for_format(typed, names));
  }
  target = typed;
  return {};
}

Status when(std::string_view option, std::string_view typed, When& target) {
  static constexpr Choice<When> kWhen[] = {
      {"auto", When::automatic}, {"always", When::always}, {"never", When::never}};
  return choose(option, typed, kWhen, target);
}

using http::EolMode, http::FramingMode, http::SplitMode, http::Strictness;
using Set = Settings;
using Text = std::string_view;

constexpr GlobalOption kOptions[] = {
    {"from", 'f', true, "FMT", "input format: auto (from the bytes), http, har, ndjson",
     [](Set& s, Text v) { return format_name("--from", v, true, s.job.from); }},
    {"to", 't', true, "FMT", "output format: auto, http, har, ndjson, headers, body, curl",
     [](Set& s, Text v) { return format_name("--to", v, false, s.job.to); }},
    {"json", '\0', true, "", "same as -t ndjson: one JSON object per message",
     [](Set& s, Text) -> Status {
       if (s.job.to != "auto" && s.job.to != "ndjson") {
         return refuse("--json and --to " + s.job.to + " exclude each other");
       }
       return format_name("--json", "ndjson", false, s.job.to);
     }},
    {"no-body", '\0', false, "", "with --json: leave bodies out",
     [](Set& s, Text) -> Status {
       s.job.bodies = false;
       return {};
     }},
    {"output", 'o', true, "FILE", "write FILE when all is well; {host} in it: many (help output)",
     [](Set& s, Text v) -> Status {
       if (v.empty()) return refuse("--output needs a file name");
       if (auto places = NameTemplate::parse(v); !places) return fail(std::move(places.error()));
       s.job.output = v;
       return {};
     }},
    {"in-place", 'I', true, "", "rewrite each FILE in which a step changed something",
     [](Set& s, Text) -> Status {
       s.job.in_place = true;
       return {};
     }},
    {"backup", '\0', false, "SUFFIX", "with -I: keep the old file under its name and SUFFIX",
     [](Set& s, Text v) -> Status {
       if (v.empty() || v.find('/') != Text::npos) {
         return refuse("--backup needs a suffix such as .bak, without a slash");
       }
       s.job.backup = v;
       return {};
     }},
    {"output-dir", '\0', true, "DIR", "write each input to DIR under its own name",
     [](Set& s, Text v) -> Status {
       if (v.empty()) return refuse("--output-dir needs the name of a folder");
       s.job.output_dir = v;
       return {};
     }},
    {"jobs", 'j', true, "N", "work on N files at once (0: one per core)", 
     [](Set& s, Text v) -> Status {
       const auto number = ascii::decimal(v, 10'000);
       if (!number) return refuse("--jobs takes a number (0: one per core), not " + echo(v));
       s.job.jobs = static_cast<unsigned>(*number);
       return {};
     }},
    {"dry-run", 'n', true, "", "do all the work, write nothing, list what would change", 
     [](Set& s, Text) -> Status {
       s.job.dry_run = true;
       return {};
     }},
    {"diff", '\0', true, "", "show what would change as a diff of the heads", 
     [](Set& s, Text) -> Status {
       s.job.diff = true;
       return {};
     }},
    {"check", '\0', true, "", "no output; exit 1 if a step would change any file",
     [](Set& s, Text) -> Status {
       s.job.check = true;
       return {};
     }},
    {"chain", 'c', true, "FILE", "read the chain from FILE, one step per line",
     [](Set& s, Text v) -> Status {
       if (v.empty()) return refuse("--chain needs a file name");
       s.chain_file = v;
       return {};
     }},
    {"side", 's', true, "WHICH", "half of an exchange: response, request or both",
     [](Set& s, Text v) -> Status {
       static constexpr Choice<http::Side> kSides[] = {{"response", http::Side::response},
                                                       {"request", http::Side::request},
                                                       {"both", http::Side::both}};
       return choose("--side", v, kSides, s.job.side.emplace());
     },
     "response,request,both"},
    {"framing", '\0', false, "MODE",
     "where bodies end: auto (default), wire, curl, eof (help framing)",
     [](Set& s, Text v) {
       static constexpr Choice<FramingMode> kModes[] = {{"auto", FramingMode::automatic},
                                                        {"wire", FramingMode::wire},
                                                        {"curl", FramingMode::curl},
                                                        {"eof", FramingMode::eof}};
       return choose("--framing", v, kModes, s.job.policy.framing);
     },
     "auto,wire,curl,eof"},
    {"split", '\0', false, "MODE",
     "may a message begin where no length says so: auto (default), never",
     [](Set& s, Text v) {
       static constexpr Choice<SplitMode> kModes[] = {{"auto", SplitMode::automatic},
                                                      {"never", SplitMode::never}};
       return choose("--split", v, kModes, s.job.policy.split);
     },
     "auto,never"},
    {"eol", '\0', false, "MODE", "line ends of raw heads: auto (default), crlf, keep",
     [](Set& s, Text v) {
       static constexpr Choice<std::optional<EolMode>> kModes[] = {
           {"auto", std::nullopt}, {"crlf", EolMode::crlf}, {"keep", EolMode::keep}};
       return choose("--eol", v, kModes, s.eol);
     },
     "auto,crlf,keep"},
    {"max-head", '\0', false, "SIZE", "longest head of a message (1M)",
     [](Set& s, Text v) { return size("--max-head", v, s.job.policy.limits.max_head); }},
    {"max-fields", '\0', false, "N", "most fields in a head (10000)",
     [](Set& s, Text v) -> Status {
       const auto count = ascii::decimal(v);
       if (!count || *count == 0) return refuse("--max-fields takes a number, not " + echo(v));
       s.job.policy.limits.max_fields = *count;
       return {};
     }},
    {"max-body", '\0', false, "SIZE", "most content a step may decode from one body (1G)",
     [](Set& s, Text v) { return size("--max-body", v, s.job.policy.limits.max_body); }},
    {"max-entry", '\0', false, "SIZE", "longest HAR entry (1G)",
     [](Set& s, Text v) { return size("--max-entry", v, s.job.policy.limits.max_entry); }},
    {"hold", '\0', false, "SIZE", "hold this much of a body to learn its size (8M; 0: never)",
     [](Set& s, Text v) { return size("--hold", v, s.job.policy.limits.hold); }},
    {"quiet", 'q', true, "", "errors only",
     [](Set& s, Text) -> Status {
       s.style.quiet = true;
       return {};
     }},
    {"verbose", 'v', true, "", "notes too, and a summary per file",
     [](Set& s, Text) -> Status {
       s.style.verbose = true;
       return {};
     }},
    {"errors", '\0', false, "FORM", "diagnostics as text (default) or json",
     [](Set& s, Text v) {
       static constexpr Choice<bool> kForms[] = {{"text", false}, {"json", true}};
       return choose("--errors", v, kForms, s.style.json);
     },
     "text,json"},
    {"strict", '\0', true, "", "every oddity of the input is an error",
     [](Set& s, Text) -> Status {
       s.job.policy.strictness = Strictness::strict;
       return {};
     }},
    {"lenient", '\0', true, "", "repair more than what has one reading",
     [](Set& s, Text) -> Status {
       if (s.job.policy.strict()) return refuse("--strict and --lenient exclude each other");
       s.job.policy.strictness = Strictness::lenient;
       return {};
     }},
    {"fail-fast", '\0', false, "", "stop at the first bad file",
     [](Set& s, Text) -> Status {
       s.job.fail_fast = true;
       return {};
     }},
    {"stats", '\0', false, "", "at the end, figures as one JSON object on stderr",
     [](Set& s, Text) -> Status {
       s.stats = true;
       return {};
     }},
    {"color", '\0', false, "WHEN", "colour: auto (default), always, never",
     [](Set& s, Text v) { return when("--color", v, s.job.colour); },
     "auto,always,never"},
    {"progress", '\0', false, "WHEN", "progress line: auto (default), always, never", 
     [](Set& s, Text v) { return when("--progress", v, s.job.progress); },
     "auto,always,never"},
    {"null", '0', false, "", "with get and names: NUL, not LF, after each value",
      [](Set& s, Text) -> Status {
        s.job.null = true;
        return {};
      }},
    {"plan", '\0', true, "", "print the chain as it was understood, read nothing",
     [](Set& s, Text) -> Status {
       s.plan = true;
       return {};
     }},
    {"help", 'h', true, "", "this text; behind a verb: help on that verb",
     [](Set& s, Text) -> Status {
       s.help = true;
       return {};
     }},
    {"version", 'V', true, "", "version and features",
     [](Set& s, Text) -> Status {
       s.version = true;
       return {};
     }},
};

}  // namespace

std::span<const GlobalOption> global_options() { return kOptions; }

const Options& global_parser() {
  static const Options parser = [] {
    std::vector<Options::Row> rows;
    for (const GlobalOption& option : kOptions) {
      rows.push_back({option.name, option.letter, !option.value.empty()});
    }
    return Options(rows);
  }();
  return parser;
}

Status apply_options(const std::vector<std::string>& words, Settings& settings) {
  auto values = global_parser().parse(words);
  if (!values) return fail(std::move(values.error()));
  // Help and version first: they answer whatever else was typed.
  settings.help = values->contains("help");
  settings.version = values->contains("version");
  const auto errors = values->find("errors");
  settings.style.json = errors != values->end() && errors->second == "json";
  for (const GlobalOption& option : kOptions) {
    const auto found = values->find(std::string(option.name));
    if (found == values->end()) continue;
    if (auto done = option.apply(settings, found->second); !done) return done;
  }
  return {};
}

}  // namespace rehead::cli
