#include "select/comparison.h"

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

bool is_wild(const Item& item) {
  return !item.quoted && item.text != "*" && item.text.find('*') != std::string::npos;
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

Result<Comparison> Comparison::make(const Operand& operand, Operator op, std::vector<Item> items) {
  Comparison made;
  made.op_ = op;
  made.lowered_ = operand.is(PseudoField::type);
  const bool any_case = is_word(operand) || made.lowered_ || operand.is(PseudoField::host);
  made.letters_ = any_case ? http::Case::ignored : http::Case::exact;
  if (op == Operator::match) {
    made.way_ = Way::pattern;
  } else if (operand.is(PseudoField::body)) {
    return refuse("body takes only ~ and !~", "body ~ 'text'");
  } else if (has_number(operand)) {
    made.way_ = Way::number;
  } else if (operand.is(PseudoField::time) && std::ranges::none_of(items, is_wild)) {
    made.way_ = Way::time;
  } else if (op != Operator::equal) {
    const bool header = operand.kind != Operand::Kind::pseudo;
    if (!header && !operand.is(PseudoField::version)) {
      return refuse(std::string(http::name_of(operand.pseudo)) + " has no order",
                    "=, !=, ~ and !~ compare it");
    }
    made.way_ = header ? Way::number : Way::order;
  }
  for (Item& item : items) {
    const Status taken = made.way_ == Way::pattern  ? made.take_pattern(item)
                         : made.way_ == Way::number ? made.take_number(operand, item)
                         : made.way_ == Way::time   ? made.take_time(item)
                                                    : made.take_text(operand, item);
    if (!taken) return fail(taken.error());
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
    const bool joined = text.find("&&") != text.npos || text.find("||") != text.npos;
    return refuse("a number is needed, not " + ascii::quoted(text),
                  joined   ? "it is written 'and', 'or', with blanks around: status=200 and has:etag"
                  : status ? "status=404, status=4xx,503, status>=400"
                           : "units are k, M and G");
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
  if (operand.is(PseudoField::type)) {
    if (item.text.find(';') != std::string::npos) {
      return refuse("type is the media type without parameters",
                    "for parameters: h:content-type ~ 'charset=utf-8'");
    }
    if (item.text.find_first_of("/*") == std::string::npos && !item.text.empty()) {
      return refuse(ascii::quoted(item.text) + " is no media type",
                    "type=application/" + item.text + ", type=*/" + item.text);
    }
  }
  constexpr std::string_view kKinds[] = {"request", "response", "exchange"};
  const bool known = !operand.is(PseudoField::kind) || item.text == "*" ||
                     std::ranges::any_of(kKinds, [&](std::string_view kind) {
                       return is_wild(item) ? http::glob(item.text, kind)
                                            : ascii::equal(item.text, kind);
                     });
  if (!known) {
    return refuse("no kind is called " + ascii::quoted(item.text),
                  "kind is request, response or exchange (a HAR entry)");
  }
  texts_.push_back(item);
  return {};
}

Status Comparison::take_time(const Item& item) {
  const auto instant = http::parse_instant(item.text);
  if (!instant) {
    return refuse("a time is needed, not " + ascii::quoted(item.text),
                  "time>=2025-01-14T09:00:00Z, time<2025-01-15");
  }
  times_.push_back(*instant);
  return {};
}

Status Comparison::take_pattern(const Item& item) {
  auto pattern = Pattern::compile(item.text);
  if (!pattern) {
    pattern.error().hint = "a pattern with blanks or parentheses is quoted: ~ '(a|b) c'";
    return fail(std::move(pattern.error()));
  }
  pattern_ = std::move(*pattern);
  return {};
}

bool Comparison::holds(double value) const {
  return std::ranges::any_of(
      ranges_, [&](const Range& range) { return value >= range.low && value <= range.high; });
}

bool Comparison::ordered(std::strong_ordering order) const {
  switch (op_) {
    case Operator::less:
      return order < 0;
    case Operator::at_most:
      return order <= 0;
    case Operator::more:
      return order > 0;
    case Operator::at_least:
      return order >= 0;
    default:
      return order == 0;
  }
}

bool Comparison::is_text(std::string_view value) const {
  return std::ranges::any_of(texts_, [&](const Item& item) {
    if (is_wild(item)) return http::glob(item.text, value, letters_, '\0');
    return letters_ == http::Case::exact ? item.text == value : ascii::equal(item.text, value);
  });
}

bool Comparison::holds(std::string_view value) const {
  switch (way_) {
    case Way::text:
      return is_text(value);
    case Way::order:
      return ordered(value.compare(texts_.front().text) <=> 0);
    case Way::time: {
      const auto instant = http::parse_instant(ascii::trim(value));
      return instant && std::ranges::any_of(times_, [&](const http::Instant& time) {
               return ordered(*instant <=> time);
             });
    }
    case Way::number: {
      const auto number = parse_number(ascii::trim(value));
      return number && holds(*number);
    }
    case Way::pattern:
      return pattern_.found_in(lowered_ ? ascii::lowered(value) : value);
  }
  return false;
}

bool Comparison::names_interim() const {
  return way_ == Way::number && std::ranges::any_of(ranges_, [](const Range& range) {
           return range.high >= 100 && range.high < 200;
         });
}

}  // namespace rehead::select
