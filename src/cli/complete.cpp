#include "cli/complete.h"

#include <algorithm>

#include "base/ascii.h"
#include "cli/chain.h"
#include "cli/global_options.h"
#include "cli/known_fields.h"
#include "cli/topics.h"
#include "format/formats.h"
#include "http/field_name.h"
#include "http/pseudo_field.h"

namespace rehead::cli {
namespace {

using Text = std::string_view;

/// The lines for one word. What is typed stays as it is typed; only its end, part(), is completed.
class Offer {
 public:
  explicit Offer(Text word) : word_(word) {}

  /// The first `count` characters of part() stay whatever is offered.
  void skip(std::size_t count) { skipped_ += count; }
  Text part() const { return word_.substr(skipped_); }

  /// `candidate`, if it begins as part() does, in any case.
  void add(Text candidate, Text description = {}) {
    if (!ascii::starts_with(candidate, part())) return;
    out_ += std::string(word_) + std::string(candidate.substr(part().size())) + '\t' +
            std::string(description) + '\n';
  }
  /// Each word of a comma list.
  void add_each(Text list) {
    while (!list.empty()) {
      const std::size_t end = std::min(list.find(','), list.size());
      add(list.substr(0, end));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
  }
  void add_paths(Text kind) {
    out_ += std::string(kind);
    if (skipped_ > 0) out_ += ' ' + std::string(word_.substr(0, skipped_));
    out_ += '\n';
  }
  std::string take() { return std::move(out_); }

 private:
  Text word_;
  std::size_t skipped_ = 0;
  std::string out_;
};

/// Calls each(Text) for every field name worth offering.
template <typename Each>
void for_each_field(Each each) {
  for (const Text name : kKnownFields) each(name);
  for (const Text name : http::request_fields()) {
    if (!name.ends_with('*')) each(name);
  }
}

/// A name with `after` behind it; a half of the exchange may stand before it.
void offer_field(Offer& offer, Text after) {
  if (offer.part().starts_with("req:") || offer.part().starts_with("res:")) {
    offer.skip(4);
  } else {
    offer.add("req:", "of the request");
    offer.add("res:", "of the response");
  }
  for_each_field([&](Text name) {
    offer.add((after.empty() ? ascii::lowered(name) : std::string(name)) + std::string(after));
  });
}

/// The last name of a comma list.
void offer_names(Offer& offer, bool pseudo) {
  offer.skip(offer.part().rfind(',') + 1);  // no comma: npos + 1 is 0
  if (pseudo) {
    for (const Text name : http::pseudo_fields()) offer.add(":" + std::string(name));
  }
  offer_field(offer, {});
}

/// The beginning of a test: what an expression opens with, or goes on with behind `and`, `or`,
/// `not`.
void offer_expression(Offer& offer) {
  offer.skip(offer.part().find_last_of(" (") + 1);
  for (const Text before : {"has:", "h:", "req:", "res:"}) {
    if (!offer.part().starts_with(before)) continue;
    offer.skip(before.size());
    for_each_field([&](Text name) { offer.add(ascii::lowered(name)); });
    return;
  }
  for (const Text name : http::pseudo_fields()) offer.add(name);
  offer.add("not", "the opposite");
  offer.add("has:", "there is such a field");
  offer.add("h:", "a field of the message");
  offer.add("req:", "a field of the request");
  offer.add("res:", "a field of the response");
  offer.add("cookie:", "a cookie");
}

/// What stands for an argument or a value in help says what it is.
void offer_value(Offer& offer, Text kind, Text choices, const Verb* verb) {
  if (!choices.empty()) return offer.add_each(choices);
  if (kind == "FILE") return offer.add_paths("files");
  if (kind == "DIR") return offer.add_paths("dirs");
  if (kind == "EXPR") return offer_expression(offer);
  if (kind.find("@FILE") != Text::npos && offer.part().starts_with('@')) {
    offer.skip(1);
    return offer.add_paths("files");
  }
  if (kind == "NAMES" && verb->group != "cookies") return offer_names(offer, verb->name == "get");
  if (kind.starts_with("'NAME:")) return offer_field(offer, ":");
  if (kind == "OLD=NEW") {
    const std::size_t equals = offer.part().find('=');
    offer.skip(equals + 1);
    return offer_field(offer, equals == Text::npos ? "=" : "");
  }
}

void offer_formats(Offer& offer, bool read) {
  offer.add("auto", read ? "told by the bytes" : "as the input");
  for (const format::FormatInfo& format : format::all()) {
    if (read ? format.make_source == nullptr : format.make_sink == nullptr) continue;
    offer.add(format.name, format.summary);
  }
}

/// An option as typed: --name, -n, or several letters of which the last one counts.
template <typename Row>
bool is_called(const Row& row, Text typed) {
  if (typed.starts_with("--")) return typed.substr(2) == row.name;
  return row.letter != '\0' && typed.back() == row.letter;
}

void offer_option_value(Offer& offer, Text option, const Verb* verb) {
  for (const GlobalOption& row : global_options()) {
    if (row.value.empty() || !is_called(row, option)) continue;
    if (row.value == "FMT") return offer_formats(offer, row.name == "from");
    return offer_value(offer, row.value, row.choices, verb);
  }
  if (verb == nullptr) return;
  for (const transform::Option& row : verb->options) {
    if (is_called(row, option)) return offer_value(offer, row.value, row.choices, verb);
  }
}

void offer_options(Offer& offer, const Verb* verb) {
  if (verb != nullptr) {
    for (const transform::Option& row : verb->options) {
      offer.add("--" + std::string(row.name), row.help);
    }
  }
  for (const GlobalOption& row : global_options()) {
    offer.add("--" + std::string(row.name), row.help);
  }
}

void offer_verbs(Offer& offer) {
  for (const Verb& verb : verbs()) offer.add(verb.name, verb.summary);
}

void offer_topics(Offer& offer) {
  offer.add("options", "all options");
  for (const Topic& topic : topics()) offer.add(topic.name, topic.summary);
}

void offer_word(Offer& offer, const Cursor& cursor) {
  switch (cursor.place) {
    case Place::start:
      offer_verbs(offer);
      offer.add("help", "help on a verb or a topic");
      return offer.add_paths("files");
    case Place::after_then:
      return offer_verbs(offer);
    case Place::step:
      if (cursor.wants_argument) return offer_value(offer, cursor.verb->argument, {}, cursor.verb);
      offer.add("then", "another step");
      return offer.add_paths("files");
    case Place::files:
      return offer.add_paths("files");
    case Place::help:
      offer_verbs(offer);
      return offer_topics(offer);
    case Place::nowhere:
      return;
  }
}

}  // namespace

std::string complete(std::span<const std::string> words) {
  const Text word = words.empty() ? Text() : Text(words.back());
  const auto before = words.first(words.empty() ? 0 : words.size() - 1);
  const Cursor cursor = find_cursor(before, global_parser());
  const bool dashes = std::ranges::find(before, "--") == before.end() && word.starts_with('-');
  Offer offer(word);
  if (!cursor.option.empty()) {
    offer_option_value(offer, cursor.option, cursor.verb);
  } else if (dashes && word.find('=') != Text::npos) {
    offer.skip(word.find('=') + 1);
    offer_option_value(offer, word.substr(0, word.find('=')), cursor.verb);
  } else if (dashes) {
    offer_options(offer, cursor.verb);
  } else {
    offer_word(offer, cursor);
  }
  return offer.take();
}

}  // namespace rehead::cli
