#include "cli/help.h"

#include <brotli/decode.h>
#include <libdeflate.h>
#include <nettle/version.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

#include "cli/global_options.h"
#include "cli/suggest.h"
#include "cli/topics.h"
#include "cli/verbs.h"
#include "format/formats.h"
#include "http/field_name.h"
#include "http/pseudo_field.h"

namespace rehead::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::string_view kUsage =
    "usage: rehead [OPTIONS] [VERB [VERB-OPTIONS] [ARG] [then VERB ...]] [FILE...]\n"
    "       rehead help [VERB|TOPIC]\n";

/// `text` in lines of kWidth, all but the first indented; empty lines stay.
std::string wrapped(std::string_view text, std::size_t column, std::size_t indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, end);
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent && !word.empty()) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    if (end == std::string_view::npos) break;
    if (text.substr(end).starts_with("\n\n")) {
      out += "\n\n" + std::string(indent, ' ');
      column = indent;
    }
    text.remove_prefix(end + 1);
  }
  return out;
}

/// A term and its explanation, in two columns.
std::string row(std::string_view term, std::string_view text, std::size_t indent) {
  std::string out = "  " + std::string(term);
  if (out.size() + 2 > indent) {
    out += '\n' + std::string(indent, ' ');
  } else {
    out.resize(indent, ' ');
  }
  return out + wrapped(text, indent, indent) + '\n';
}

std::string option_term(const GlobalOption& option) {
  std::string term = option.letter == '\0' ? "    " : std::string("-") + option.letter + ", ";
  term += "--" + std::string(option.name);
  if (!option.value.empty()) term += " " + std::string(option.value);
  return term;
}

std::string option_rows(bool everyday) {
  constexpr std::size_t kIndent = 26;
  std::string out;
  for (const GlobalOption& option : global_options()) {
    if (everyday && !option.everyday) continue;
    out += row(option_term(option), option.help, kIndent);
  }
  return out;
}

std::string with_argument(const Verb& verb) {
  std::string out(verb.name);
  if (!verb.argument.empty()) out += " " + std::string(verb.argument);
  return out;
}

/// One line per group: the heading, then its verbs.
std::string verb_rows() {
  constexpr std::size_t kIndent = 20;
  std::vector<std::string_view> groups;
  for (const Verb& verb : verbs()) {
    if (std::ranges::find(groups, verb.group) == groups.end()) groups.push_back(verb.group);
  }
  std::string out;
  for (const std::string_view group : groups) {
    std::string names;
    for (const Verb& verb : verbs()) {
      if (verb.group == group) names += (names.empty() ? "" : ", ") + with_argument(verb);
    }
    out += row(group, names, kIndent);
  }
  return out;
}

std::string formats_text() {
  std::string out;
  for (const format::FormatInfo& format : format::all()) {
    const std::string_view ways = format.make_source == nullptr ? "written"
                                  : format.make_sink == nullptr ? "read"
                                                                : "read and written";
    out += row(format.name, std::string(format.summary) + " (" + std::string(ways) + ")", 12);
  }
  constexpr std::string_view kRules =
      "The format of the input is told by its first bytes, never by its name; -f says it outright. "
      "Input compressed with gzip is unwrapped. Output is in the format of the input unless -t "
      "says another.";
  return out + '\n' + wrapped(kRules, 0, 0) + '\n';
}

std::string fields_text() {
  std::string names;
  for (const std::string_view name : http::request_fields()) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  std::string pseudo;
  for (const std::string_view name : http::pseudo_fields()) pseudo += " :" + std::string(name);
  return wrapped(
             "A field is written the same way everywhere: NAME, req:NAME, res:NAME. * stands for "
             "any run of characters and ? for one, except in what set, add and rename write; a "
             "quoted name is literal: remove '\"x-*\"'. Names are separated by commas.\n\n"
             "req: and res: choose the half of an exchange (a HAR entry). Without a prefix remove, "
             "keep, rename and sub take both; for set, add, get and expressions a name means the "
             "response, but the request if only requests have such a field. -s chooses for all. "
             "Fields that only requests have:\n\n" +
                 names + "\n\nPseudo-fields, in expressions without the colon:" + pseudo +
                 "\n\nset and sub change :status :reason :version :method :url :host :path, sub "
                 ":body too.",
             0, 0) +
         '\n';
}

std::string_view streaming_text(transform::Streaming streaming) {
  if (streaming == transform::Streaming::heads) return "It does not look at bodies.";
  if (streaming == transform::Streaming::asked) {
    return "It looks at a body only where it is asked for size or body; that body is held.";
  }
  if (streaming == transform::Streaming::stream)
    return "Bodies stream through it in constant memory.";
  return "Bodies are held (memory, then a temporary file) before the head is written.";
}

/// Which half of an exchange the verb works on unless -s, req: or res: say.
std::string side_text(const Verb& verb) {
  if (verb.name == "count") return "A HAR entry counts once.";
  if (verb.argument == "EXPR")
    return "It sees both halves of a HAR entry, which stay or go together.";
  if (verb.group == "choosing") return "Both halves of a HAR entry stay or go together.";
  const std::string halves = verb.side == http::Side::response  ? "the response"
                             : verb.side == http::Side::request ? "the request"
                                                                : "both halves";
  const bool named = verb.argument.find("NAME") != std::string_view::npos;
  return "Of a HAR entry it looks at " + halves + "; -s " +
         (named && verb.group != "cookies" ? "and the prefixes req: and res: choose." : "chooses.");
}

std::string verb_text(const Verb& verb) {
  std::string out = "rehead " + with_argument(verb) + "\n\n  " + std::string(verb.summary) + "\n\n";
  std::string nature = side_text(verb);
  if (verb.step != nullptr) nature += " " + std::string(streaming_text(verb.step->streaming));
  out += wrapped(verb.help, 0, 0) + "\n\n" + wrapped(nature, 0, 0) + "\n";
  if (!verb.options.empty()) out += "\noptions:\n";
  for (const transform::Option& option : verb.options) {
    std::string term = option.letter == '\0' ? "" : std::string("-") + option.letter + ", ";
    term += "--" + std::string(option.name);
    if (!option.value.empty()) term += " " + std::string(option.value);
    out += row(term, option.help, 24);
  }
  if (!verb.examples.empty()) out += "\nexamples:\n";
  for (const std::string_view example : verb.examples) out += "  " + std::string(example) + "\n";
  return out;
}

/// The verbs under a heading of --help; nothing if there is none of that name.
std::string group_text(std::string_view group) {
  std::string out;
  for (const Verb& verb : verbs()) {
    if (verb.group == group) out += row(with_argument(verb), verb.summary, 24);
  }
  return out.empty() ? out : "rehead help VERB tells more:\n" + out;
}

/// An option as typed, of the program or of verbs; nothing if there is none.
std::string option_text(std::string_view word) {
  const bool lengthy = word.starts_with("--");
  const std::string_view name = word.substr(lengthy ? 2 : 1);
  const auto is_meant = [&](std::string_view full, char letter) {
    return lengthy ? full == name : name.size() == 1 && name[0] == letter;
  };
  std::string out;
  for (const GlobalOption& option : global_options()) {
    if (is_meant(option.name, option.letter)) out += row(option_term(option), option.help, 26);
  }
  for (const Verb& verb : verbs()) {
    for (const transform::Option& option : verb.options) {
      if (!is_meant(option.name, option.letter) || option.name == "if") continue;
      out += row(std::string(verb.name) + " --" + std::string(option.name), option.help, 26);
    }
  }
  if (name == "if") out += row("VERB --if EXPR", "only where the expression holds", 26);
  return out;
}

std::string topic_names() {
  std::string names = "options";
  for (const Topic& topic : topics()) names += ", " + std::string(topic.name);
  return names;
}

std::string brotli_version() {
  const std::uint32_t version = BrotliDecoderVersion();  // 8 bits, 12 bits, 12 bits
  return std::to_string(version >> 24) + "." + std::to_string((version >> 12) & 0xFFF) + "." +
         std::to_string(version & 0xFFF);
}

}  // namespace

std::string help_text() {
  std::string out(kUsage);
  out +=
      "\nReads HTTP messages (curl -i output, raw captures), runs a chain of steps over\n"
      "headers and bodies, writes them well framed. No FILE, or '-': standard input.\n"
      "\nverbs (rehead help VERB):\n";
  out += verb_rows();
  out += "\noptions (all of them: rehead help options):\n";
  out += option_rows(true) + "\n" + wrapped("topics: " + topic_names(), 0, 0) + "\n";
  return out;
}

std::string short_help() {
  std::string out(kUsage);
  out +=
      "\n  curl -si URL | rehead dechunk then inflate\n"
      "  rehead set 'Cache-Control: no-store' a.http\n"
      "\nrehead --help shows verbs and options.\n";
  return out;
}

Result<std::string> help_on(std::string_view word) {
  if (word.empty()) return help_text();
  if (word == "help") {
    std::string out(kUsage);
    out +=
        "\n  rehead help VERB     what a verb does, its options, examples\n"
        "  rehead help TOPIC    ";
    out += wrapped(topic_names(), 23, 23);
    out += "\n  rehead help --NAME   an option\n  rehead --help        all verbs\n";
    return out;
  }
  if (word.starts_with('-')) {
    if (std::string text = option_text(word); !text.empty()) return text;
    std::vector<std::string_view> names;
    for (const GlobalOption& option : global_options()) names.push_back(option.name);
    return fail({Errc::usage, "no-help", "no option " + echo(word), hint_for_option(word, names)});
  }
  if (const Verb* verb = find_verb(word)) return verb_text(*verb);
  if (word == "options") return "All options:\n" + option_rows(false);
  if (word == "formats") return formats_text();
  if (word == "fields") return fields_text();
  if (const std::string group = group_text(word); !group.empty()) return group;
  std::vector<std::string_view> names = {"options"};
  for (const Topic& topic : topics()) {
    if (topic.name == word) return std::string(topic.text);
    names.push_back(topic.name);
  }
  for (const Verb& verb : verbs()) names.push_back(verb.name);
  const std::string_view near = nearest(word, names);
  return fail(
      {Errc::usage, "no-help", "no verb or topic called " + echo(word),
       near.empty() ? "topics: " + topic_names() : "did you mean '" + std::string(near) + "'?"});
}

std::string version_text() {
  return "rehead " REHEAD_VERSION "\nfeatures: zlib " + std::string(::zlibVersion()) +
         ", libdeflate " LIBDEFLATE_VERSION_STRING ", brotli " + brotli_version() + ", zstd " +
         ::ZSTD_versionString() + ", re2, nettle " + std::to_string(NETTLE_VERSION_MAJOR) + "." +
         std::to_string(NETTLE_VERSION_MINOR) + ", CLI11 " +
         std::string(Options::library_version()) + "\n";
}

}  // namespace rehead::cli
