// redact: hides secrets wherever they stand: fields, cookies, URLs, bodies, and every mirror of
// them in a HAR. What a secret is says redact/rules.h and redact/shapes.h; this file finds the
// texts.
//
// The text of a HAR entry is rewritten as a whole, with what was loaded from it; what steps before
// changed, and all of raw HTTP and NDJSON, is taken message by message. A value that was hidden
// once is hidden wherever it stands from then on, up to the end of its input.
//
// Fails closed: what cannot be taken apart is hidden whole, an entry that cannot be read is
// dropped. Leaves alone: names, attributes of cookies, sizes that were recorded, bodies of
// responses without
// --text, and what is binary.
#include <array>
#include <functional>
#include <vector>

#include "base/ascii.h"
#include "codec/content.h"
#include "http/field_value.h"
#include "redact/text.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

using redact::Hider;
using redact::Kind;
using redact::Text;

std::string_view half_of(const http::Message& message) {
  return message.kind == http::Kind::request ? "request" : "response";
}

Half half_of(const redact::Spot& spot) {
  if (spot.half.empty()) return Half::none;
  return spot.half == "request" ? Half::request : Half::response;
}

/// Takes a body through as it is; the trailers behind it are known at its end, and hidden then.
class TrailersBehind final : public http::Filter {
 public:
  using Hide = std::function<void(http::Message&)>;
  void watch(http::Message& message, Hide hide) {
    message_ = &message;
    hide_ = std::move(hide);
  }
  void attach(ByteSource& upstream) override { upstream_ = &upstream; }
  Result<Piece> pull() override {
    auto piece = upstream_->pull();
    if (piece && piece->kind == Piece::Kind::end) hide_(*message_);
    return piece;
  }

 private:
  http::Message* message_ = nullptr;
  ByteSource* upstream_ = nullptr;
  Hide hide_;
};

class Redact final : public Transform, http::Rewriter, Hider::Listener {
 public:
  /// `key_shared`: others may read the key of the pseudonyms.
  Redact(Hider hider, const Arguments& arguments, bool key_shared)
      : hider_(std::move(hider)),
        key_file_(arguments.get("key-file")),
        key_shared_(key_shared),
        selection_(arguments.selection),
        policy_(*arguments.policy),
        content_(policy_),
        receipt_(arguments.has("report")),
        two_pass_(arguments.has("two-pass")) {
    hider_.listen(this);
  }

  Result<Verdict> apply(http::Exchange& exchange) override;
  Verdict pass(http::Exchange& passage, Diagnostics& log) override;
  Status finish(Emitter& emitter) override;
  bool first_look() override { return looking_ = two_pass_; }

 private:
  Status hide(http::Message& message, http::Exchange& exchange);
  Status hide_fields(http::HeaderMap& headers, bool known);
  Status hide_body(http::Message& message);
  void hide_target(http::Exchange& exchange);
  std::string_view hidden_url(http::Message& message, std::string_view url);
  std::vector<http::TextEdit> rewrite(std::string_view json, What what) override;
  std::string too_long(std::string_view key) override;
  void hidden(const redact::Spot& spot, Kind kind, std::string_view name,
              std::size_t size) override;

  Hider hider_;
  std::string key_file_;
  bool key_shared_;  // and nobody was told yet
  http::Selection selection_;
  const http::Policy& policy_;
  codec::Content content_;
  bool receipt_;
  bool two_pass_;
  bool looking_ = false;          // for the first of two times
  std::size_t known_before_ = 0;  // values, when the message or text at hand was begun
  bool rewritten_ = false;        // the text of the exchange at hand was
  bool known_alone_ = false;      // the next rewrite() looks for values that were hidden before
  const http::Exchange* exchange_ = nullptr;  // at hand
  Diagnostics* log_ = nullptr;
  struct Hidden {
    std::string text;
    TextSource source;
    TrailersBehind trailers;
  };
  http::PerHalf<Hidden> halves_;
  std::string value_;
  std::vector<std::string> values_;
};

Result<Verdict> Redact::apply(http::Exchange& exchange) {
  exchange_ = &exchange;
  for (const http::Message* message : {exchange.request, exchange.response}) {
    if (message != nullptr) log_ = message->log;
  }
  if (log_ != nullptr && std::exchange(key_shared_, false)) {
    log_->report({.id = "key-file",
                  .what = "others may read the file of the key",
                  .hint = "chmod 600 " + ascii::quoted(key_file_)});
  }
  known_alone_ = false;
  rewritten_ = exchange.as_read != nullptr && exchange.as_read->rewrite(*this, exchange);
  if (selection_.covers(exchange, http::Kind::request)) hide_target(exchange);
  auto done = exchange.for_each([&](http::Message& message) {
    return selection_.covers(exchange, message.kind) ? hide(message, exchange) : Status();
  });
  exchange_ = nullptr;
  if (!done) return fail(std::move(done.error()));
  return Verdict::keep;
}

Status Redact::hide(http::Message& message, http::Exchange& exchange) {
  hider_.at({half_of(message), "headers"});
  known_before_ = hider_.known();
  if (auto done = hide_fields(message.headers, false); !done) return done;
  if (exchange.as_read != nullptr && exchange.as_read->mirrored_changed()) {
    hider_.place("cookies");
    http::Message* const mirrored = exchange.as_read->mirrored(message);
    if (mirrored != nullptr) {
      if (auto done = hide_fields(mirrored->headers, false); !done) return done;
    }
  }
  if (auto done = hide_fields(message.trailers, false); !done) return done;
  if (exchange.alone() && message.notes.framing == http::Framing::chunked &&
      message.headers.find("Trailer") != nullptr) {
    auto& trailers = halves_[message].trailers;
    trailers.watch(message, [this](http::Message& ended) {
      hider_.at({half_of(ended), "trailers"});
      [[maybe_unused]] const auto done = hide_fields(ended.trailers, false);
    });
    message.body->filter(trailers, message.body->size());
  }
  hider_.place("body");
  if (auto done = hide_body(message); !done) return done;
  // What was learnt from this message may stand further up in it.
  hider_.place("headers");
  return hide_fields(message.headers, true);
}

/// `known`: values that were hidden before alone.
Status Redact::hide_fields(http::HeaderMap& headers, bool known) {
  if (known && hider_.known() == known_before_) return {};
  std::vector<http::Replacement> changes;
  values_.clear();
  values_.reserve(headers.size());
  std::vector<std::string_view> views;
  views.reserve(headers.size());
  for (const http::Field& field : headers) {
    if (rewritten_ && !field.has(http::Field::changed)) continue;  // rewrite() has seen it
    Text text(hider_, field.value());
    known ? text.known(text.all()) : text.field(field.name(), text.all());
    if (!text.apply(value_)) continue;
    values_.push_back(value_);
    views.emplace_back(values_.back());
    changes.push_back({&field, field.name(), std::span(&views.back(), 1)});
  }
  return changes.empty() ? Status() : headers.replace(changes);
}

std::string_view Redact::hidden_url(http::Message& message, std::string_view url) {
  Text text(hider_, url);
  text.url(text.all());
  return text.apply(value_) ? message.keep(value_) : url;
}

void Redact::hide_target(http::Exchange& exchange) {
  hider_.at({"request", "url"});
  http::Message* const message = exchange.request != nullptr ? exchange.request : exchange.response;
  if (message == nullptr) return;
  if (!exchange.url.empty()) exchange.url = hidden_url(*message, exchange.url);
  if (exchange.request == nullptr) return;
  http::StartLine& start = exchange.request->start;
  start.set_target(hidden_url(*exchange.request, start.target()));
}

Status Redact::hide_body(http::Message& message) {
  const bool request = message.kind == http::Kind::request;
  if (message.body == nullptr || (!request && !hider_.choice().text)) return {};
  // rewrite() has seen the text of an entry, unless a step put another in its place.
  if (rewritten_ && !message.body->touched()) return {};
  const http::Field* const type = message.headers.find("Content-Type");
  content_.forget();
  auto content = content_.decoded(message);
  if (!content) return fail(std::move(content.error()));
  Text text(hider_, *content);
  if (!message.notes.codings.empty() && message.notes.slice) {
    text.whole(text.all(), Kind::opaque, {});
  } else {
    text.body(type != nullptr ? type->value() : std::string_view(), text.all());
  }
  auto& [hidden, source, trailers] = halves_[message];
  if (!text.apply(hidden)) return {};
  // The content is uncoded now, and no digest holds for it; its entity tag says which one it was.
  for (const std::string_view name :
       {"Content-Encoding", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5"}) {
    message.headers.remove(name);
  }
  message.notes.codings.clear();
  message.notes.coding_label_false = false;
  source.start(hidden);
  message.body->replace(source, hidden.size());
  return {};
}

Verdict Redact::pass(http::Exchange& passage, Diagnostics& log) {
  if (passage.as_read == nullptr) return Verdict::keep;
  log_ = &log;
  if (passage.number != 0) {
    log.report({.id = "entry-dropped", .what = "dropped: what cannot be read may hold secrets"});
    return Verdict::drop;
  }
  exchange_ = &passage;
  hider_.at({.half = {}, .place = "around the entries"});
  known_alone_ = false;
  passage.as_read->rewrite(*this, passage);
  exchange_ = nullptr;
  return Verdict::keep;
}

/// Asked twice: for what is secret, then for what is known to be.
std::vector<http::TextEdit> Redact::rewrite(std::string_view json, What what) {
  Text text(hider_, json);
  const auto shape = what == What::entry ? Text::Json::entry : Text::Json::body;
  if (what == What::entry) hider_.at({.half = {}, .place = "entry"});
  if (!std::exchange(known_alone_, !known_alone_)) {
    known_before_ = hider_.known();
    text.json(json, shape);
  } else if (hider_.known() != known_before_) {
    text.known_in_json(json, shape);
  }
  return text.edits();
}

std::string Redact::too_long(std::string_view key) {
  if (!looking_ && log_ != nullptr) {
    log_->report({.id = "opaque",
                  .what = ascii::quoted(key) + " is too long to be looked through, hidden whole"});
  }
  return '"' + hider_.hide({}, Kind::opaque, {}, hider_.spot()) + '"';
}

void Redact::hidden(const redact::Spot& spot, Kind kind, std::string_view name, std::size_t size) {
  if (kind == Kind::opaque && size != 0 && !looking_ && log_ != nullptr) {
    log_->report({.id = "opaque",
                  .what = std::string(spot.place) + ": cannot be taken apart, hidden whole (" +
                          std::to_string(size) + " bytes)",
                  .half = half_of(spot)});
  }
  if (!policy_.check || looking_ || exchange_ == nullptr || log_ == nullptr) return;
  std::string what(redact::name_of(kind));
  if (!name.empty()) what += ' ' + ascii::quoted(name);
  what += " in " + std::string(spot.place) + ", " + std::to_string(size) + " bytes";
  log_->report({.level = Level::note,
                .id = "secret",
                .what = std::move(what),
                .half = half_of(spot),
                .always = true,
                .each = true});
}

Status Redact::finish(Emitter& emitter) {
  const bool again = std::exchange(looking_, false);
  if (!again && receipt_) emitter.log().receipt(hider_.receipt());
  hider_.forget(!again);
  return {};
}

/// The names of an option; none if it was not given.
Result<std::vector<http::FieldName>> names_of(const Arguments& arguments, const char* option) {
  if (!arguments.has(option)) return std::vector<http::FieldName>();
  return http::parse_names(arguments.get(option), arguments.selection);
}

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  redact::Choice choice;
  choice.text = arguments.has("text");
  choice.personal = arguments.has("pii");
  choice.side = arguments.selection.chosen ? arguments.selection.side : http::Side::both;
  for (const auto& [option, names] :
       {std::pair{"also", &choice.also}, {"only", &choice.only}, {"keep", &choice.keep}}) {
    auto parsed = names_of(arguments, option);
    if (!parsed) return fail(std::move(parsed.error()));
    *names = std::move(*parsed);
  }
  const std::vector<std::string> match(arguments.has("match") ? 1 : 0, arguments.get("match"));
  auto shapes = redact::Shapes::make(match, choice.personal);
  if (!shapes) return fail(std::move(shapes.error()));
  std::optional<redact::Pseudonyms> pseudonyms;
  if (arguments.has("hash") != arguments.has("key-file")) {
    return fail({Errc::usage, "option-value", "--hash and --key-file go together",
                 "redact --hash --key-file FILE; make a key: head -c 32 /dev/urandom > FILE"});
  }
  bool key_shared = false;
  if (arguments.has("hash")) {
    auto made = redact::Pseudonyms::from_file(arguments.get("key-file"), key_shared);
    if (!made) return fail(std::move(made.error()));
    pseudonyms = std::move(*made);
  }
  return std::make_unique<Redact>(
      Hider(std::move(choice), std::move(*shapes), std::move(pseudonyms)), arguments, key_shared);
}

constexpr Option kOptions[] = {
    {"also", "NAMES", "names that are secrets, too"},
    {"only", "NAMES", "these names alone, and no shapes"},
    {"keep", "NAMES", "names whose values stay"},
    {"match", "RE2", "what this expression matches is a secret, or its first group"},
    {"text", "", "open the bodies of responses, too"},
    {"pii", "", "e-mail addresses, IP addresses, user names"},
    {"hash", "", "pseudonyms: equal values stay equal"},
    {"key-file", "FILE", "the key of the pseudonyms"},
    {"report", "FILE", "what was hidden where, as JSON; - for stderr"},
    {"two-pass", "", "read files twice: hide what stands before its secret is known"},
    {"list-rules", "", "print what counts as a secret"},
};

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead redact examples/data/cookies.http",
    "rehead redact --text examples/data/visit.har",
};

}  // namespace

extern const TransformInfo kRedact = {
    .name = "redact",
    .options = kOptions,
    .side = http::Side::both,
    .streaming = Streaming::hold,
    .group = "secrets",
    .summary = "hide secrets: fields, cookies, URLs, bodies, every mirror in a HAR",
    .help =
        "Hides the values of Authorization (its scheme stays), cookies (names and attributes "
        "stay), "
        "of API keys, tokens and passwords by their names, in header fields, URLs, forms, JSON and "
        "multipart bodies, and in all that a HAR says twice; bearer tokens, JSON Web Tokens, "
        "private "
        "keys and the keys of well-known services by their shape. A value of 8 bytes or more that "
        "was hidden once is hidden wherever it stands behind that, in other spellings, too. "
        "REDACTED "
        "takes its place.\n\n"
        "Bodies of requests are opened; those of responses with --text. Binary bodies are not. "
        "JSON "
        "stays JSON: a number under the name of a secret becomes a string. What claims to be JSON "
        "and is not is hidden whole. An entry of a HAR that cannot be read is dropped (exit 3). "
        "Sizes that a HAR recorded stay.\n\n"
        "--check redact changes nothing: exit 1 and a line for each place if anything would be "
        "hidden. No value is ever printed. redact --list-rules prints what counts as a secret; "
        "what "
        "has neither such a name nor such a shape is not found.",
    .examples = kExamples,
    .make = make,
    .hides = true,
};

}  // namespace rehead::transform
