// join NAMES: the fields of one name become one line in the place of the first, values separated by
// ", " (RFC 9110 5.3), those of Cookie by "; " (RFC 9113 8.2.3). Empty values are left out.
// Leaves alone: Set-Cookie always; fields that stand once; fields no line could hold; the body.
#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "transform/of_names.h"

namespace rehead::transform {
namespace {

class Join final : public OfNames {
 public:
  using OfNames::OfNames;

 private:
  using Row = const http::Field*;

  Status apply(http::Message& message, http::Exchange& exchange) override {
    rows_.clear();
    for (const http::Field& field : message.headers) {
      const bool wanted = any_name(message, exchange, [&](const http::FieldName& name) {
        return name.matches(field.name());
      });
      if (wanted && !field.has(http::Field::odd) && !ascii::equal(field.name(), "Set-Cookie")) {
        rows_.push_back(&field);
      }
    }
    std::ranges::stable_sort(rows_, before);
    joined_.clear();
    replacements_.clear();
    joined_.reserve(rows_.size());  // the spans into it stay good
    for (auto first = rows_.begin(); first != rows_.end();) {
      const auto next =
          std::find_if(first, rows_.end(), [&](Row row) { return before(*first, row); });
      if (next - first > 1) join(message, std::span(first, next));
      first = next;
    }
    std::ranges::sort(replacements_, std::less<>(), &http::Replacement::field);
    return message.headers.replace(replacements_);
  }

  void join(http::Message& message, std::span<const Row> rows) {
    const std::string_view between = ascii::equal(rows.front()->name(), "Cookie") ? "; " : ", ";
    text_.clear();
    for (const Row row : rows) {
      if (row->value().empty()) continue;
      if (!text_.empty()) text_ += between;
      text_ += row->value();
    }
    joined_.push_back(message.keep(text_));
    for (const Row row : rows) replacements_.push_back({row, row->name(), {}});
    replacements_[replacements_.size() - rows.size()].values = std::span(&joined_.back(), 1);
  }

  static bool before(Row a, Row b) { return ascii::before(a->name(), b->name()); }

  // Scratch, kept for its memory.
  std::vector<Row> rows_;
  std::vector<std::string_view> joined_;
  std::vector<http::Replacement> replacements_;
  std::string text_;
};

Result<std::unique_ptr<Transform>> make(const Arguments& arguments) {
  auto names = http::parse_names(arguments.argument, arguments.selection);
  if (!names) return fail(std::move(names.error()));
  for (const http::FieldName& name : *names) {
    if (ascii::equal(name.text, "Set-Cookie")) {
      return fail({Errc::usage, "join-set-cookie", "Set-Cookie fields cannot be joined",
                   "merge-cookies gives one field a cookie"});
    }
  }
  return std::make_unique<Join>(std::move(*names));
}

constexpr std::array<std::string_view, 2> kExamples = {
    "rehead join cookie examples/data/post.http",
    "rehead add 'Vary: Origin' then join '*' -t headers examples/data/redirect.http",
};

}  // namespace

extern const TransformInfo kJoin = {
    .name = "join",
    .argument = "NAMES",
    .side = http::Side::both,
    .streaming = Streaming::heads,
    .group = "headers",
    .summary = "join repeated header fields into one line",
    .help =
        "Fields of one name become one line in the place of the first, their values separated "
        "by a comma and a blank, those of Cookie by a semicolon and a blank; empty values are "
        "left out. NAMES is a comma list, any case, * for any run of characters. Set-Cookie "
        "is never joined. The body is not touched.",
    .examples = kExamples,
    .make = make,
};

}  // namespace rehead::transform
