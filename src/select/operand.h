// The field before an operator: a pseudo-field (`status`), a header field (`h:NAME`, `req:NAME`,
// `res:NAME`) or a cookie (`cookie:NAME`), and its values in an exchange.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/any_cookie.h"
#include "http/field_name.h"
#include "http/pseudo_field.h"

namespace rehead::select {

struct Operand {
  enum class Kind : std::uint8_t { pseudo, header, cookie };
  Kind kind = Kind::pseudo;
  http::PseudoField pseudo = http::PseudoField::status;
  http::FieldName name = {};  // of header field or cookie
  bool bare = false;          // a header field without req: or res:
  bool framing = false;       // may be a field that says how the message is framed
  bool every = false;         // all: a comparison holds if every instance satisfies it

  bool is(http::PseudoField field) const { return kind == Kind::pseudo && pseudo == field; }
};

/// A field as typed: prefixes, then a name, which may be quoted.
struct TypedField {
  std::string plain;                  // up to the quote
  std::optional<std::string> quoted;  // without quotes
};

/// `otherwise`: the half a bare name means unless it is one that only requests have. `has`: NAME
/// alone is a header field too.
Result<Operand> parse_operand(const TypedField& typed, bool has, http::Selection otherwise);

/// Calls visit(std::string_view) -> bool for each value until it returns true, and says whether it
/// did. Not for size and body.
template <typename Visit>
bool any_value(const Operand& operand, const http::Exchange& exchange, Visit visit) {
  if (operand.kind == Operand::Kind::pseudo) {
    const auto text = http::text_of(operand.pseudo, exchange, http::subject_of(exchange));
    return text && visit(*text);
  }
  if (operand.kind == Operand::Kind::cookie) return http::any_cookie(operand.name, exchange, visit);
  const auto in = [&](const http::Message* message) {
    return message != nullptr && operand.name.covers(exchange, *message) &&
           operand.name.any(*message, [&](const http::Field& each) { return visit(each.value()); });
  };
  return in(exchange.request) || in(exchange.response);
}

}  // namespace rehead::select
