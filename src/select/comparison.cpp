#include "select/comparison.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/ascii.h"
#include "http/field_name.h"

namespace rehead::select {
namespace {

using http::PseudoField;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

tl::unexpected<Error> refuse(std::string what, std::string hint = {}) {
  return fail({Errc::usage, "expression", std::move(what), std::move(hint)});
}

/// A number as typed: digits, a fraction, and k M G (1024).
std::optional<double> typed_number(std::string_view text) {
  double unit = 1;
  if (!text.empty()) {
    constexpr std::string_view kUnits = "kmg";
    if (const auto at = kUnits.find(ascii::lower(text.back())); at != kUnits.npos) {
      unit = static_cast<double>(std::uint64_t{1} << (10 * (at + 1)));
      text.remove_suffix(1);
    }
  }
  const auto number = parse_number(text);
  return number ? std::optional(*number * unit) : std::nullopt;
}

bool has_number(const Operand& operand) {
  if (operand.kind != Operand::Kind::pseudo) return false;
  switch (operand.pseudo) {
    case PseudoField::status:
    case PseudoField::size:
    case PseudoField::entry:
    case PseudoField::message:
    case PseudoField::ms:
      return true;
    default:
      return false;
  }
}

/// Text whose letters may be typed in any case.
bool is_word(const Operand& operand) {
  return operand.is(PseudoField::method) || operand.is(PseudoField::kind) ||
         operand.is(PseudoField::scheme);
}

/// Text that has an order without being a number.
bool is_ordered_text(const Operand& operand) {
  return operand.is(PseudoField::time) || operand.is(PseudoField::version);
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  if (text.empty() || (!ascii::is_digit(text.front()) && text.front() != '-')) return std::nullopt;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || stop != end || !(value > -kInfinity && value < kInfinity)) {
    return std::nullopt;
  }
  return value;
}

Comparison::Comparison(Comparison&&) noexcept = default;
Comparison& Comparison::operator=(Comparison&&) noexcept = default;
Comparison::~Comparison() = default;

Result<Comparison> Comparison::make(const Operand& operand, Operator op, std::vector<Item> items) {
  Comparison made;
  made.op_ = op;
  if (op == Operator::match) {
    made.way_ = Way::pattern;
  } else if (operand.is(PseudoField::body)) {
    return refuse("body takes only ~ and !~", "body ~ 'text'");
  } else if (has_number(operand)) {
    made.way_ = Way::number;
  } else if (op != Operator::equal) {
    const bool header = operand.kind != Operand::Kind::pseudo;
    if (!header && !is_ordered_text(operand)) {
      return refuse(std::string(http::name_of(operand.pseudo)) + " has no order",
                    "=, !=, ~ and !~ compare it");
    }
    made.way_ = header ? Way::number : Way::time;
  } else if (operand.is(PseudoField::type) || operand.is(PseudoField::host)) {
    made.way_ = Way::glob;
  } else if (is_word(operand)) {
    made.way_ = Way::any_case;
  }
  for (const Item& item : items) {
    Status taken;
    if (made.way_ == Way::pattern) {
      taken = made.take_pattern(item);
    } else if (made.way_ == Way::number) {
      taken = made.take_number(operand, item);
    } else {
      taken = made.take_text(operand, item);
    }
    if (!taken) return fail(std::move(taken.error()));
  }
  return made;
}

Status Comparison::take_number(const Operand& operand, const Item& item) {
  const std::string& text = item.text;
  const bool status = operand.is(PseudoField::status);
  if (status && op_ == Operator::equal && text.size() == 3 && ascii::is_digit(text[0]) &&
      ascii::equal(std::string_view(text).substr(1), "xx")) {
    const double low = (text[0] - '0') * 100;
    ranges_.push_back({low, low + 99});
    return {};
  }
  const auto number = status ? parse_number(text) : typed_number(text);
  if (!number) {
    return refuse("a number is needed, not " + ascii::quoted(text),
                  status ? "status=404, status=4xx,503, status>=400" : "units are k, M and G");
  }
  switch (op_) {
    case Operator::less:
      ranges_.push_back({-kInfinity, std::nextafter(*number, -kInfinity)});
      break;
    case Operator::at_most:
      ranges_.push_back({-kInfinity, *number});
      break;
    case Operator::more:
      ranges_.push_back({std::nextafter(*number, kInfinity), kInfinity});
      break;
    case Operator::at_least:
      ranges_.push_back({*number, kInfinity});
      break;
    default:
      ranges_.push_back({*number, *number});
  }
  return {};
}

Status Comparison::take_text(const Operand& operand, const Item& item) {
  const bool star = item.text.find('*') != std::string::npos;
  if (operand.is(PseudoField::type) && item.text.find(';') != std::string::npos) {
    return refuse("type is the media type without parameters",
                  "for parameters: h:content-type ~ 'charset=utf-8'");
  }
  if (star && way_ != Way::glob && !item.quoted && item.text != "*") {
    return refuse("'*' stands for itself here", "use ~ for a pattern, or quote the value");
  }
  texts_.push_back(item.text);
  return {};
}

Status Comparison::take_pattern(const Item& item) {
  re2::RE2::Options options(re2::RE2::Latin1);
  options.set_log_errors(false);
  pattern_ = std::make_unique<re2::RE2>(item.text, options);
  if (pattern_->ok()) return {};
  return refuse("not an RE2 expression: " + pattern_->error(),
                "a pattern with blanks or parentheses is quoted: ~ '(a|b) c'");
}

bool Comparison::holds(double value) const {
  return std::ranges::any_of(
      ranges_, [&](const Range& range) { return value >= range.low && value <= range.high; });
}

bool Comparison::holds(std::string_view value) const {
  const auto any = [&](auto matches) { return std::ranges::any_of(texts_, matches); };
  switch (way_) {
    case Way::exact:
      return any([&](const std::string& text) { return text == value; });
    case Way::any_case:
      return any([&](const std::string& text) { return ascii::equal(text, value); });
    case Way::glob:
      return any([&](const std::string& text) { return http::glob(text, value); });
    case Way::time: {
      const int order = value.compare(texts_.front());
      if (op_ == Operator::less) return order < 0;
      if (op_ == Operator::at_most) return order <= 0;
      return op_ == Operator::more ? order > 0 : order >= 0;
    }
    case Way::number: {
      const auto number = parse_number(ascii::trim(value));
      return number && holds(*number);
    }
    case Way::pattern:
      return pattern_->Match(value, 0, value.size(), re2::RE2::UNANCHORED, nullptr, 0);
  }
  return false;
}

bool Comparison::names_interim() const {
  return way_ == Way::number && std::ranges::any_of(ranges_, [](const Range& range) {
           return range.high >= 100 && range.high < 200;
         });
}

}  // namespace rehead::select
