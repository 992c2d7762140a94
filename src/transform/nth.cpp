// nth LIST | @FILE: the messages (entries) of these numbers go on, counted from 1 as they arrive
// here, in each input anew; their order is kept. Leaves alone: everything about them.
//
//   3,7,10-12        @FILE: the first column of each line is a number; @- is standard input
#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "transform/transform.h"

namespace rehead::transform {
namespace {

constexpr std::size_t kLargest = std::size_t{64} << 20;

struct Range {
  std::uint64_t first;
  std::uint64_t last;  // included
};

class Nth final : public Transform {
 public:
  explicit Nth(std::vector<Range> ranges) : ranges_(std::move(ranges)) {}

  Result<Verdict> apply(http::Exchange&) override {
    if (at_ == ranges_.size()) return Verdict::stop;
    const std::uint64_t number = ++seen_;
    const Range& range = ranges_[at_];
    if (number < range.first) return Verdict::drop;
    if (number < range.last) return Verdict::keep;
    return ++at_ == ranges_.size() ? Verdict::last : Verdict::keep;
  }
  Status finish(Emitter&) override {
    seen_ = 0;
    at_ = 0;
    return {};
  }

 private:
  std::vector<Range> ranges_;  // in order, apart
  std::size_t at_ = 0;         // the range to come, or the current one
  std::uint64_t seen_ = 0;
};

tl::unexpected<Error> refuse(std::string_view typed) {
  return fail({Errc::usage, "number", "a number from 1 is needed, not " + ascii::quoted(typed),
               "a list is written 3,7,10-12"});
}

Result<Range> parse_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = ascii::decimal(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : ascii::decimal(text.substr(dash + 1));
  if (!first || !last || *first == 0) return refuse(text);
  if (*last < *first) {
    return fail({Errc::usage, "number", "the range " + ascii::quoted(text) + " runs backwards",
                 "write " + std::to_string(*last) + "-" + std::to_string(*first) +
                     "; messages keep the order of the input"});
  }
  return Range{*first, *last};
}

Result<std::vector<Range>> parse_list(std::string_view text) {
  std::vector<Range> ranges;
  while (true) {
    const std::size_t comma = text.find(',');
    auto range = parse_range(ascii::trim(text.substr(0, comma)));
    if (!range) return fail(std::move(range.error()));
    ranges.push_back(*range);
    if (comma == std::string_view::npos) return ranges;
    text.remove_prefix(comma + 1);
  }
}

Result<std::vector<Range>> read_list(const std::string& path) {
  auto text = read_argument_file(path == "-" ? "@/dev/stdin" : '@' + path, kLargest);
  if (!text) return fail(std::move(text.error()));
  std::vector<Range> ranges;
  std::string_view rest = *text;
  for (std::uint64_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = ascii::trim(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::string_view column = line.substr(0, line.find_first_of(" \t\r"));
    if (column.empty()) continue;
    const auto wanted = ascii::decimal(column);
    if (!wanted || *wanted == 0) {
      return fail({Errc::usage, "number",
                   "line " + std::to_string(number) + " of " + path + " begins with " +
                       ascii::quoted(column) + ", not with a number from 1",
                   "the first column of each line is the number of a message"});
    }
    ranges.push_back({*wanted, *wanted});
  }
  return ranges;
}

/// In order, those that meet made one.
std::vector<Range> merged(std::vector<Range> ranges) {
  std::ranges::sort(ranges, {}, &Range::first);
  std::vector<Range> out;
  for (const Range& range : ranges) {
    if (!out.empty() && range.first <= out.back().last) {
      out.back().last = std::max(out.back().last, range.last);
    } else {
      out.push_back(range);
    }
  }
  return out;
}

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  const std::string& text = arguments.argument;
  auto ranges = text.starts_with('@') ? read_list(text.substr(1)) : parse_list(text);
  if (!ranges) return fail(std::move(ranges.error()));
  return std::make_unique<Nth>(merged(std::move(*ranges)));
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead nth 1,3 -t headers examples/data/redirect.http",
    "echo 2 | rehead nth @- examples/data/redirect.http",
};

}  // namespace

extern const TransformInfo kNth = {
    .name = "nth",
    .argument = "LIST|@FILE",
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "choosing",
    .summary = "keep messages by their number",
    .help =
        "LIST: numbers and ranges from 1, separated by commas: 3,7,10-12; they count what "
        "arrives here, in each input anew. @FILE, or @- for standard input: the first column "
        "of each line is a number, as get --row :entry prints it. The order of the input is "
        "kept. Headers and bodies are not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
