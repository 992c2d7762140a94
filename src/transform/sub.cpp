// sub 'NAME:/RE2/NEW/FLAGS': replaces what a regular expression matches in the values of a field,
// every match in every instance. Any sign may stand for the slash; \1 to \9 and \0 in NEW are
// groups. Leaves alone: values without a match; a value that would hold CR, LF or NUL; the body.
#include <re2/re2.h>

#include <array>

#include "base/ascii.h"
#include "http/field_name.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

constexpr std::size_t kMaxPattern = std::size_t{64} << 10;

class Sub final : public MessageTransform {
 public:
  Sub(http::FieldName name, std::unique_ptr<re2::RE2> pattern, std::string rewrite, bool first_only)
      : MessageTransform({}),
        name_(std::move(name)),
        pattern_(std::move(pattern)),
        rewrite_(std::move(rewrite)),
        first_only_(first_only) {}

 private:
  Status apply(http::Message& message, http::Exchange& exchange) override {
    if (!name_.covers(exchange, message)) return {};
    http::HeaderMap& headers = message.headers;
    for (const http::Field* field = headers.find(name_.text); field != nullptr;
         field = headers.find_after(field, name_.text)) {
      const std::string_view value = field->value();
      if (!pattern_->Match(value, 0, value.size(), re2::RE2::UNANCHORED, nullptr, 0)) continue;
      text_ = value;
      if (first_only_) {
        re2::RE2::Replace(&text_, *pattern_, rewrite_);
      } else {
        re2::RE2::GlobalReplace(&text_, *pattern_, rewrite_);
      }
      if (text_ == value) continue;
      if (!http::check_field(name_.text, text_)) {
        report(message, exchange,
               {.id = "field-value",
                .what = "the value of " + name_.text + " holds CR, LF or NUL, left as it is"});
        continue;
      }
      const std::string_view changed = text_;
      // One value for one: no field moves, so the walk goes on.
      if (auto done = headers.replace(*field, field->name(), std::span(&changed, 1)); !done) {
        return done;
      }
    }
    return {};
  }

  http::FieldName name_;
  std::unique_ptr<re2::RE2> pattern_;
  std::string rewrite_;
  bool first_only_;
  std::string text_;
};

tl::unexpected<Error> refuse(std::string what) {
  return fail({Errc::usage, "sub-form", std::move(what),
               "sub 'location:/^http:/https:/', any sign instead of the slash, flags i and 1"});
}

/// Takes the text up to the next `mark` off `rest`; a mark behind a backslash stands for itself.
std::optional<std::string_view> take_until(std::string_view& rest, char mark) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '\\') {
      ++i;
    } else if (rest[i] == mark) {
      const std::string_view taken = rest.substr(0, i);
      rest.remove_prefix(i + 1);
      return taken;
    }
  }
  return std::nullopt;
}

/// NEW without the backslash before a mark.
std::string unescaped(std::string_view text, char mark) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == mark) ++i;
    out += text[i];
    if (text[i] == '\\' && i + 1 < text.size()) out += text[++i];
  }
  return out;
}

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  std::string_view rest = arguments.argument;
  if (rest.find(':') == std::string_view::npos) {
    return refuse("a colon after the field name is missing");
  }
  auto name = http::take_name(rest, arguments.selection);
  if (!name) return fail(std::move(name.error()));
  if (rest.empty()) return refuse("the expression after the name is missing");
  const char mark = rest.front();
  const bool sign = mark > ' ' && mark < 0x7F && mark != '\\' && mark != '_' &&
                    !(ascii::lower(mark) >= 'a' && ascii::lower(mark) <= 'z') &&
                    !ascii::is_digit(mark);
  if (!sign) return refuse("the expression must begin with a sign such as /");
  rest.remove_prefix(1);
  const auto expression = take_until(rest, mark);
  const auto replacement = expression ? take_until(rest, mark) : std::nullopt;
  if (!replacement) return refuse(std::string("three ") + mark + " are needed");
  if (expression->empty()) return refuse("the expression is empty");
  if (expression->size() > kMaxPattern) return refuse("the expression is longer than 64 KiB");

  re2::RE2::Options options(re2::RE2::Latin1);
  options.set_log_errors(false);
  bool first_only = false;
  for (const char flag : rest) {
    if (flag != 'i' && flag != '1') return refuse(std::string("no flag is called ") + flag);
    if (flag == 'i') options.set_case_sensitive(false);
    if (flag == '1') first_only = true;
  }
  auto pattern = std::make_unique<re2::RE2>(*expression, options);
  if (!pattern->ok()) return refuse("the expression is not understood: " + pattern->error());
  std::string rewrite = unescaped(*replacement, mark);
  if (const int groups = pattern->NumberOfCapturingGroups();
      re2::RE2::MaxSubmatch(rewrite) > groups) {
    return refuse("NEW asks for more groups than there are: " + std::to_string(groups));
  }
  std::string error;
  if (!pattern->CheckRewriteString(rewrite, &error)) return refuse(error);
  if (auto fine = http::check_field(name->text, rewrite); !fine) {
    return fail(std::move(fine.error()));
  }
  return std::make_unique<Sub>(std::move(*name), std::move(pattern), std::move(rewrite),
                               first_only);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead sub 'location:/^https:/http:/' examples/data/redirect.http",
    "rehead sub 'set-cookie:|; *secure||i' -t headers examples/data/cookies.http",
};

}  // namespace

extern const TransformInfo kSub = {
    .name = "sub",
    .argument = "'NAME:/RE2/NEW/FLAGS'",
    .options = {},
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "replace text in header values by a regular expression",
    .help =
        "In every instance of the field, every match of the RE2 expression becomes NEW; \\1 to "
        "\\9 in it stand for groups, \\0 for the match. Flags: i for any case, 1 for the first "
        "match of each value only. Any sign that is no letter or digit may stand for the "
        "slash; behind a backslash it stands for itself. Values are bytes (Latin-1). The body "
        "is not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
