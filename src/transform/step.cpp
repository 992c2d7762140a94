#include "transform/step.h"

#include "select/expression.h"

namespace rehead::transform {
namespace {

/// A step that is applied only where an expression holds; elsewhere exchanges go on untouched.
class Conditional final : public Transform {
 public:
  Conditional(select::Expression condition, std::unique_ptr<Transform> step)
      : condition_(std::move(condition)), step_(std::move(step)) {}
  Result<Verdict> apply(http::Exchange& exchange) override {
    auto held = condition_.holds(exchange);
    if (!held) return fail(std::move(held.error()));
    return *held ? step_->apply(exchange) : Verdict::keep;
  }
  Status finish(Emitter& emitter) override {
    condition_.finish(emitter.log());
    return step_->finish(emitter);
  }

 private:
  select::Expression condition_;
  std::unique_ptr<Transform> step_;
};

tl::unexpected<Error> refused(const TransformInfo& info, std::string_view where, Error error) {
  error.what = std::string(info.name) + std::string(where) + ": " + error.what;
  return fail(std::move(error));
}

}  // namespace

Result<std::unique_ptr<Transform>> make_step(const TransformInfo& info,
                                             const Arguments& arguments) {
  auto step = info.make(arguments);
  if (!step) return refused(info, "", std::move(step.error()));
  const std::string name(kIf.name);
  if (!arguments.has(name)) return step;
  auto condition = select::Expression::parse(arguments.get(name), *arguments.policy, arguments.selection);
  if (!condition) return refused(info, " --if", std::move(condition.error()));
  return std::make_unique<Conditional>(std::move(*condition), std::move(*step));
}

}  // namespace rehead::transform
