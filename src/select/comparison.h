// An operator and what stands behind it, compiled once; asked for every value of a field.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "select/operand.h"

namespace re2 {
class RE2;
}

namespace rehead::select {

enum class Operator : std::uint8_t {
  equal,
  less,
  at_most,
  more,
  at_least,
  match,
};

/// One item of what stands behind an operator.
struct Item {
  std::string text;
  bool quoted = false;
};

class Comparison {
 public:
  /// `items`: the comma list of `=`, for other operators one item.
  static Result<Comparison> make(const Operand& operand, Operator op, std::vector<Item> items);
  Comparison(Comparison&&) noexcept;
  Comparison& operator=(Comparison&&) noexcept;
  ~Comparison();

  bool holds(std::string_view value) const;
  /// The same for a field that is a number.
  bool holds(double value) const;
  bool is_number() const { return way_ == Way::number; }
  /// True if only interim (1xx) responses can satisfy it, or it names one of them.
  bool names_interim() const;

 private:
  enum class Way : std::uint8_t { exact, any_case, glob, number, time, pattern };
  struct Range {
    double low;  // both inclusive
    double high;
  };
  Comparison() = default;
  Status take_number(const Operand& operand, const Item& item);
  Status take_text(const Operand& operand, const Item& item);
  Status take_pattern(const Item& item);

  Way way_ = Way::exact;
  Operator op_ = Operator::equal;
  std::vector<std::string> texts_;
  std::vector<Range> ranges_;
  std::unique_ptr<re2::RE2> pattern_;
};

/// A decimal number, nothing before or behind it.
std::optional<double> parse_number(std::string_view text);

}  // namespace rehead::select
