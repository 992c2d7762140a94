// test EXPR: asserts that the expression holds for every message (with --any: for one at least).
// Everything goes on; where it did not hold, or there was no message, the answer is no: exit status
// 1. Interim (1xx) responses are not asked unless the expression names their status.
// Leaves alone: everything.
#include <array>

#include "base/ascii.h"
#include "http/pseudo_field.h"
#include "select/expression.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Test final : public Transform {
 public:
  Test(http::Selection selection, select::Expression expression, std::string text, bool any)
      : selection_(selection),
        expression_(std::move(expression)),
        text_(std::move(text)),
        any_(any),
        interim_(expression_.names_interim()) {}

  Result<Verdict> apply(http::Exchange& exchange) override {
    if (exchange.interim() && !interim_) return Verdict::keep;
    const http::Message* subject = http::subject_of(exchange);
    if (subject == nullptr) return Verdict::keep;  // an entry of neither half
    if (exchange.alone() && !selection_.covers(exchange, subject->kind)) return Verdict::keep;
    asked_ = true;
    auto held = expression_.holds(exchange);
    if (!held) return fail(std::move(held.error()));
    held_ = held_ || *held;
    if (*held || any_) return Verdict::keep;
    failed_ = true;
    report(*subject, exchange, note(expression_.failure(exchange)));
    return Verdict::keep;
  }

  Status finish(Emitter& emitter) override {
    if (!asked_) {
      emitter.log().report(note("there is no message to test"));
    } else if (any_ && !held_) {
      emitter.log().report(note(ascii::quoted(text_) + " holds for no message"));
    }
    expression_.finish(emitter.log());
    if (failed_ || !held_) emitter.log().say_no();
    asked_ = held_ = failed_ = false;
    return {};
  }

 private:
  static Finding note(std::string what) {
    return {.level = Level::note, .id = "test-false", .what = std::move(what), .always = true};
  }

  http::Selection selection_;
  select::Expression expression_;
  std::string text_;
  bool any_;
  bool interim_;
  // Of this input:
  bool asked_ = false;
  bool held_ = false;    // for a message
  bool failed_ = false;  // for another
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  auto expression = select::Expression::parse(arguments.argument, *arguments.policy, arguments.selection);
  if (!expression) return fail(std::move(expression.error()));
  return std::make_unique<Test>(arguments.selection, std::move(*expression), arguments.argument,
                                arguments.has("any"));
}

constexpr std::array<Option, 1> kOptions = {{
    {"any", "", "it is enough that it holds for one message of each input"},
}};

constexpr std::array<std::string_view, 3> kExamples = {
    "rehead last then test 'type=text/html' examples/data/redirect.http",
    "rehead test --any status=301 examples/data/redirect.http",
    "rehead test 'not has:x-debug' then remove server examples/data/api.http",
};

}  // namespace

extern const TransformInfo kTest = {
    .name = "test",
    .argument = "EXPR",
    .options = kOptions,
    .side = http::Side::both,
    .streaming = Streaming::asked,
    .group = "asserting",
    .summary = "assert that an expression holds for every message",
    .help =
        "Where it does not, a note names the comparison that failed and the actual value (five "
        "at most, none with -q), and the exit status is 1. Over no message it is false, too. "
        "Interim (1xx) responses are passed over unless the expression names their status.\n\n"
        "Behind a test that is not the last step the chain goes on with every message; as the "
        "last step it is the answer, and nothing is written. Headers and bodies are not "
        "touched.",
    .examples = kExamples,
    .make = make,
    .answers = true,
};

}  // namespace rehead::transform
