// first N: the first N messages (entries) of each input go on; nothing behind them is read.
// Leaves alone: everything about them.
#include <array>

#include "base/ascii.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

class First final : public Transform {
 public:
  explicit First(std::uint64_t wanted) : wanted_(wanted) {}

  Result<Verdict> apply(http::Exchange&) override {
    if (seen_ == wanted_) return Verdict::stop;
    return ++seen_ == wanted_ ? Verdict::last : Verdict::keep;
  }
  Status finish(Emitter&) override {
    seen_ = 0;
    return {};
  }

 private:
  std::uint64_t wanted_;
  std::uint64_t seen_ = 0;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  const auto wanted = ascii::decimal(arguments.argument);
  if (!wanted || *wanted == 0) {
    return fail({Errc::usage, "number",
                 "a number from 1 is needed, not " + ascii::quoted(arguments.argument)});
  }
  return std::make_unique<First>(*wanted);
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead first 1 examples/data/redirect.http",
    "rehead where status=200 then first 1 examples/data/redirect.http",
};

}  // namespace

extern const TransformInfo kFirst = {
    .name = "first",
    .argument = "N",
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "choosing",
    .summary = "keep the first N messages of each input",
    .help =
        "Raw input behind the N-th message that arrives here is not read. Headers and bodies "
        "are not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
