// set 'N: V' | @FILE: gives a field this value. The first instance's place is kept, the name spelt
// as typed, other instances removed; without one the field stands at the end. Lines of one name in
// FILE stand together in that place.
// Leaves alone: the body, even where the field is its Content-Encoding (with a warning).
#include <array>
#include <map>
#include <vector>

#include "base/ascii.h"
#include "http/field_name.h"
#include "http/framing.h"
#include "transform/pseudo_edit.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

enum class Only : std::uint8_t { always, missing, present };

struct Wanted {
  http::FieldName name;
  std::vector<std::string> values;
  http::Sightings sightings = {};  // of this input
};

class Set final : public MessageTransform {
 public:
  Set(std::vector<Wanted> wanted, Only only)
      : MessageTransform({}), wanted_(std::move(wanted)), only_(only) {}

  /// A name that only the other halves had was hardly meant for this one.
  Status finish(Emitter& emitter) override {
    for (Wanted& wanted : wanted_) {
      wanted.sightings.tell(wanted.name, "set '", ": ...'", emitter.log());
      if (!http::is_start_line(wanted.name.text)) continue;
      emitter.log().report({.level = Level::note,
                            .id = "pseudo-field",
                            .what = "a header field called " + wanted.name.text + " is set",
                            .hint = "the one of the start line has a colon: set ':" +
                                    wanted.name.text + ": ...'",
                            .always = true});
    }
    return {};
  }

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    for (Wanted& wanted : wanted_) {
      wanted.sightings.look(wanted.name, exchange, message);
      if (!wanted.name.covers(exchange, message)) continue;
      if (only_ != Only::always) {
        const bool there = message.headers.find(wanted.name.text) != nullptr;
        if (there != (only_ == Only::present)) continue;
      }
      if (auto done = set(message, exchange, wanted); !done) return done;
    }
    return {};
  }

  Status set(http::Message& message, const http::Exchange& exchange, const Wanted& wanted) {
    http::HeaderMap& headers = message.headers;
    const std::string& name = wanted.name.text;
    values_.assign(wanted.values.begin(), wanted.values.end());
    std::size_t instances = 0, same = 0;
    headers.for_each(name, [&](const http::Field& field) {
      same +=
          instances < values_.size() && field.name() == name && field.value() == values_[instances]
              ? 1U
              : 0U;
      ++instances;
    });
    if (same == values_.size() && same == instances) return {};
    if (message.body != nullptr && ascii::equal(name, "Content-Encoding")) {
      report(message, exchange,
             {.id = "label-only",
              .what = "Content-Encoding set by hand, the body stays as it is",
              .hint = "gzip, br and so on code the body, inflate decodes it"});
    }
    http::trust_label(message, name);
    if (auto done = headers.set(name, values_.front()); !done) return done;
    if (values_.size() == 1) return {};
    return headers.replace(*headers.find(name), name, values_);
  }

  std::vector<Wanted> wanted_;
  Only only_;
  std::vector<std::string_view> values_;
};

/// The same for what stands in the start line, and for the host.
class SetPseudo final : public Transform {
 public:
  SetPseudo(http::PseudoField field, std::string value, http::Side side, Only only)
      : field_(field), value_(std::move(value)), side_(side), only_(only) {}

  Result<Verdict> apply(http::Exchange& exchange) override {
    if (only_ != Only::always) {
      const http::Message* subject = http::subject_of(exchange, side_);
      const bool present = http::text_of(field_, exchange, subject).has_value();
      if (present != (only_ == Only::present)) return Verdict::keep;
    }
    seen_ = true;
    placed_ = placed_ || PseudoEdit::has_place(field_, exchange);
    if (auto done = edit_.put(field_, value_, exchange, side_); !done) {
      return fail(std::move(done.error()));
    }
    return Verdict::keep;
  }
  Status finish(Emitter& emitter) override {
    if (seen_ && !placed_) {
      const std::string name = ":" + std::string(http::name_of(field_));
      const bool answer =
          field_ == http::PseudoField::status || field_ == http::PseudoField::reason;
      emitter.log().report({.level = Level::note,
                            .id = "pseudo-field",
                            .what = name + " was set nowhere: there is no " +
                                    (answer ? "response" : "request"),
                            .hint = answer ? "" : "of a stand-alone response only :url can be set",
                            .always = true});
    }
    seen_ = placed_ = false;
    return {};
  }

 private:
  http::PseudoField field_;
  std::string value_;
  http::Side side_;
  Only only_;
  PseudoEdit edit_;
  // Of this input:
  bool seen_ = false;
  bool placed_ = false;  // a message could hold it
};

/// Lines of one name and side together, in the order of their first.
std::vector<Wanted> grouped(std::vector<http::NamedField> fields) {
  std::vector<Wanted> groups;
  std::map<std::pair<http::Side, std::string>, std::size_t> places;
  for (http::NamedField& field : fields) {
    const auto [place, fresh] = places.try_emplace(
        {field.name.selection.side, ascii::lowered(field.name.text)}, groups.size());
    if (fresh) groups.push_back({.name = std::move(field.name), .values = {}});
    groups[place->second].values.push_back(std::move(field.value));
  }
  return groups;
}

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  const bool missing = arguments.has("if-missing");
  const bool present = arguments.has("if-present");
  if (missing && present) {
    return fail({Errc::usage, "option-conflict", "--if-missing and --if-present exclude each other",
                 "without either the field is set always"});
  }
  const Only only = missing ? Only::missing : present ? Only::present : Only::always;
  if (arguments.argument.starts_with(':')) {
    std::string_view value = arguments.argument;
    auto field = take_pseudo(value, false);
    if (!field) return fail(std::move(field.error()));
    value = ascii::trim(value);
    if (auto fine = PseudoEdit::check(*field, value); !fine) return fail(std::move(fine.error()));
    return std::make_unique<SetPseudo>(*field, std::string(value), arguments.selection.side, only);
  }
  auto fields = http::parse_fields(arguments.argument, arguments.selection);
  if (!fields) return fail(std::move(fields.error()));
  return std::make_unique<Set>(grouped(std::move(*fields)), only);
}

constexpr std::array<Option, 2> kOptions = {{
    {"if-missing", "", "only where the message has no such field"},
    {"if-present", "", "only where the message has such a field"},
}};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead set 'Cache-Control: no-store' examples/data/redirect.http",
    "rehead set --if-missing 'Vary: Cookie' -t headers examples/data/cookies.http",
};

}  // namespace

extern const TransformInfo kSet = {
    .name = "set",
    .argument = "'NAME: VALUE'|@FILE",
    .options = kOptions,
    .side = http::Side::response,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "set a header field, replacing what is there",
    .help =
        "The field gets this value in the place of its first instance, spelt as typed; other "
        "instances go. Without an instance it stands at the end. An empty value is kept. @FILE "
        "has one 'NAME: VALUE' a line; lines of one name stand together.\n\n"
        "req:NAME and res:NAME choose the half of an exchange; without a prefix it is the "
        "response, or the request for a field that only requests have (Host, Cookie, If-*, ...). "
        "The body is not "
        "touched, whatever the field says about it; framing fields are written as the body "
        "needs them.\n\n"
        ":status :reason :version :method :url :host :path can be set, too: the reason follows "
        "the status, Host follows URL and host, the query stays with :path. A status without "
        "content takes the body along.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
