// An operator and what stands behind it, compiled once; asked for every value of a field.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/date.h"
#include "select/operand.h"
#include "select/pattern.h"

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

  bool holds(std::string_view value) const;
  /// The same for a field that is a number.
  bool holds(double value) const;
  bool is_number() const { return way_ == Way::number; }
  /// True if only interim (1xx) responses can satisfy it, or it names one of them.
  bool names_interim() const;

 private:
  enum class Way : std::uint8_t { text, number, time, order, pattern };
  struct Range {
    double low;  // both inclusive
    double high;
  };
  Comparison() = default;
  Status take_number(const Operand& operand, const Item& item);
  Status take_text(const Operand& operand, const Item& item);
  Status take_time(const Item& item);
  Status take_pattern(const Item& item);
  bool ordered(std::strong_ordering order) const;
  bool is_text(std::string_view value) const;

  Way way_ = Way::text;
  Operator op_ = Operator::equal;
  http::Case letters_ = http::Case::exact;
  bool lowered_ = false;     // the value is compared in lower case
  std::vector<Item> texts_;  // "=": globs, quoted ones literal
  std::vector<http::Instant> times_;
  std::vector<Range> ranges_;
  Pattern pattern_;
};

/// A decimal number, nothing before or behind it.
std::optional<double> parse_number(std::string_view text);

}  // namespace rehead::select
