// sub 'NAME:/RE2/NEW/FLAGS': replaces what a regular expression matches in the values of a field,
// every match in every instance. Any sign may stand for the slash; \1 to \9 and \0 in NEW are
// groups. NAME may be a pseudo-field: what stands in the start line, the host, the content. Leaves
// alone: values without a match; a value that would hold CR, LF or NUL; the body otherwise.
#include <array>
#include <optional>

#include "base/ascii.h"
#include "codec/content.h"
#include "http/field_name.h"
#include "http/framing.h"
#include "transform/new_content.h"
#include "transform/pseudo_edit.h"
#include "transform/replacement.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

tl::unexpected<Error> too_large_head(std::size_t most) {
  return fail({Errc::limit, "max-head",
               "sub makes the head larger than " + std::to_string(most) + " bytes",
               "raise it with --max-head"});
}

class Sub final : public MessageTransform {
 public:
  Sub(http::FieldName name, Replacement replacement, std::size_t max_head)
      : MessageTransform({}),
        name_(std::move(name)),
        replacement_(std::move(replacement)),
        max_head_(max_head) {}

 private:
  bool edits_mirrored() const override { return may_be_mirrored(name_.text); }
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (!name_.covers(exchange, message)) return {};
    http::HeaderMap& headers = message.headers;
    Status done;
    bool changed_any = false;
    name_.any(message, [&](const http::Field& field) {
      const auto applied = replacement_.apply(field.value(), text_, max_head_);
      if (!applied) done = too_large_head(max_head_);
      if (!applied || !*applied) return !applied;
      if (!http::check_field("x", text_)) {
        report(message, exchange,
               {.id = "field-value",
                .what = "the value of " + ascii::quoted(field.name()) +
                        " holds CR, LF or NUL, left as it is"});
        return false;
      }
      http::trust_label(message, field.name());
      const std::string_view changed = text_;
      changed_any = true;
      // One value for one: no field moves, so the walk goes on.
      done = headers.replace(field, field.name(), std::span(&changed, 1));
      return !done;
    });
    return !done || !changed_any || fits(message) ? done : too_large_head(max_head_);
  }

  bool fits(const http::Message& message) const {
    std::size_t size = 0;
    for (const http::Field& field : message.headers) {
      size += field.name().size() + field.value().size() + std::string_view(": \r\n").size();
    }
    return size <= max_head_;
  }

  http::FieldName name_;
  Replacement replacement_;
  std::size_t max_head_;
  std::string text_;
};

/// The same for what stands in the start line.
class SubPseudo final : public Transform {
 public:
  SubPseudo(http::PseudoField field, http::Side side, Replacement replacement, std::size_t max_head)
      : field_(field), side_(side), replacement_(std::move(replacement)), max_head_(max_head) {}

  Result<Verdict> apply(http::Exchange& exchange) override {
    // Each half has a version of its own.
    const bool halves = field_ == http::PseudoField::version && side_ == http::Side::both;
    if (!halves || exchange.alone()) return apply(exchange, side_);
    auto done = apply(exchange, http::Side::request);
    return done ? apply(exchange, http::Side::response) : std::move(done);
  }

 private:
  Result<Verdict> apply(http::Exchange& exchange, http::Side side) {
    const auto value = http::text_of(field_, exchange, http::subject_of(exchange, side));
    if (!value) return Verdict::keep;
    const auto applied = replacement_.apply(*value, text_, max_head_);
    if (!applied) return too_large_head(max_head_);
    if (!*applied) return Verdict::keep;
    if (auto fine = PseudoEdit::check(field_, text_); !fine) {
      const bool answer =
          field_ == http::PseudoField::status || field_ == http::PseudoField::reason;
      const http::Message* const half = answer ? exchange.response : exchange.request;
      report(half != nullptr ? *half : *http::subject_of(exchange), exchange,
             {.id = "pseudo-field", .what = fine.error().what + ", left as it is"});
      return Verdict::keep;
    }
    if (auto done = edit_.put(field_, text_, exchange, side); !done) {
      return fail(std::move(done.error()));
    }
    return Verdict::keep;
  }

  http::PseudoField field_;
  http::Side side_;
  Replacement replacement_;
  std::size_t max_head_;
  std::string text_;
  PseudoEdit edit_;
};

/// The same for the content, codings off.
class SubBody final : public MessageTransform {
 public:
  SubBody(http::Selection selection, Replacement replacement, const http::Policy& policy)
      : MessageTransform(selection),
        replacement_(std::move(replacement)),
        content_(policy),
        max_body_(policy.limits.max_body) {}

 private:
  Status apply(http::Message& message, http::Exchange&) override {
    if (message.body == nullptr || (message.notes.slice && !message.notes.codings.empty())) {
      return {};
    }
    auto& [text, source] = halves_[message];
    content_.forget();
    auto before = content_.decoded(message);
    if (!before) return fail(std::move(before.error()));
    const auto applied = replacement_.apply(*before, text, max_body_);
    if (!applied) {
      return fail({Errc::limit, "content-size",
                   "sub makes the content larger than " + std::to_string(max_body_) + " bytes",
                   "--max-body raises the limit"});
    }
    if (!*applied) return {};
    forget_content(message);
    source.start(text);
    message.body->replace(source, text.size());
    return {};
  }

  struct Half {
    std::string text;
    TextSource source;
  };
  Replacement replacement_;
  codec::Content content_;
  std::uint64_t max_body_;
  http::PerHalf<Half> halves_;
};

Result<std::unique_ptr<Transform>> make_pseudo(const Arguments& arguments) {
  std::string_view rest = arguments.argument;
  auto field = take_pseudo(rest, true);
  if (!field) return fail(std::move(field.error()));
  auto replacement = Replacement::parse(rest);
  if (!replacement) return fail(std::move(replacement.error()));
  if (*field == http::PseudoField::body) {
    return std::make_unique<SubBody>(arguments.selection, std::move(*replacement),
                                     *arguments.policy);
  }
  return std::make_unique<SubPseudo>(*field, arguments.selection.side, std::move(*replacement),
                                     arguments.policy->limits.max_head);
}

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  if (arguments.argument.starts_with(':')) return make_pseudo(arguments);
  std::string_view rest = arguments.argument;
  if (rest.find(':') == std::string_view::npos) {
    return fail({Errc::usage, "sub-form", "a colon after the field name is missing",
                 std::string(Replacement::kForm)});
  }
  auto name = http::take_names(rest, arguments.selection);
  if (!name) return fail(std::move(name.error()));
  auto replacement = Replacement::parse(rest);
  if (!replacement) return fail(std::move(replacement.error()));
  if (auto fine = http::check_field("x", replacement->rewrite()); !fine) {
    return fail(std::move(fine.error()));
  }
  return std::make_unique<Sub>(std::move(*name), std::move(*replacement),
                               arguments.policy->limits.max_head);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead sub 'location:/^https:/http:/' examples/data/redirect.http",
    "rehead sub 'set-cookie:|; *secure||i' -t headers examples/data/cookies.http",
};

}  // namespace

extern const TransformInfo kSub = {
    .name = "sub",
    .argument = "'NAME:/RE2/NEW/FLAGS'",
    .side = http::Side::both,
    .streaming = Streaming::asked,
    .group = "headers",
    .summary = "replace text in header values by a regular expression",
    .help =
        "In every instance of the field, every match of the RE2 expression becomes NEW; \\1 to "
        "\\9 in it stand for groups, \\0 for the match. Flags: i for any case, 1 for the first "
        "match of each value only. Any sign that is no letter or digit may stand for the "
        "slash; behind a backslash it stands for itself. The name may be a pattern (x-*). Text that "
        "is UTF-8 is matched as such, any other as Latin-1. The body is not touched.\n\n"
        ":status :reason :version :method :url :host :path can stand for the name, and :body: the "
        "decoded content, which is held for it. What described the old content goes, the length "
        "follows.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
