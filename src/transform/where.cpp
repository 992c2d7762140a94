// where EXPR: only messages (entries) for which the expression holds go on.
// Leaves alone: everything about them. A body that the expression had to read leaves as it came.
#include <array>

#include "select/expression.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class Where final : public Transform {
 public:
  explicit Where(select::Expression expression)
      : expression_(std::move(expression)), interim_(expression_.names_interim()) {}

  Result<Verdict> apply(http::Exchange& exchange) override {
    auto held = expression_.holds(exchange);
    if (!held) return fail(std::move(held.error()));
    exchange.interim_wanted = exchange.interim_wanted || interim_;
    return *held ? Verdict::keep : Verdict::drop;
  }
  Status finish(Emitter& emitter) override {
    expression_.finish(emitter.log());
    return {};
  }

 private:
  select::Expression expression_;
  bool interim_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  auto expression = select::Expression::parse(arguments.argument, *arguments.policy, arguments.selection);
  if (!expression) return fail(std::move(expression.error()));
  return std::make_unique<Where>(std::move(*expression));
}

constexpr std::array<std::string_view, 3> kExamples = {
    "rehead where 'status=3xx' -t headers examples/data/redirect.http",
    "rehead where 'not has:cache-control' then count examples/data/api.http",
    "rehead where 'body ~ error or size>100k' then count examples/data/api.http",
};

}  // namespace

extern const TransformInfo kWhere = {
    .name = "where",
    .argument = "EXPR",
    .side = http::Side::both,
    .streaming = Streaming::asked,
    .group = "choosing",
    .summary = "keep the messages for which an expression holds",
    .help =
        "The others are not written. "
        "help expressions tells the language: fields, operators, values.\n\n"
        "Headers and bodies are not touched. An expression that asks for body, or for a size "
        "that is not known, has the body held (memory up to --hold, then a temporary file).",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
