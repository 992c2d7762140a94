// What stands before an operator: a pseudo-field (`status`), a header field (`h:NAME`, `req:NAME`,
// `res:NAME`) or a cookie (`cookie:NAME`), and its values in an exchange.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "http/cookie.h"
#include "http/pseudo_field.h"

namespace rehead::select {

struct Operand {
  enum class Kind : std::uint8_t {
    pseudo,
    header,    // h:NAME: of the response if there is one, else of the request
    request,   // req:NAME
    response,  // res:NAME
    cookie,    // of the request's Cookie and the response's Set-Cookie
  };
  Kind kind = Kind::pseudo;
  http::PseudoField pseudo = http::PseudoField::status;
  std::string name;      // of the header field or cookie
  bool framing = false;  // a field that tells how the message is framed

  bool is(http::PseudoField field) const { return kind == Kind::pseudo && pseudo == field; }
};

/// `text` without quotes around its NAME. `bare`: a plain NAME is a header field too, as in `has:`.
Result<Operand> parse_operand(std::string_view text, bool bare);

/// Calls visit(std::string_view) -> bool for each value until it says true, and says whether it
/// did. Not for size and body.
template <typename Visit>
bool any_value(const Operand& operand, const http::Exchange& exchange, Visit visit) {
  using Kind = Operand::Kind;
  const auto fields = [&](const http::Message* message, std::string_view name, auto&& each) {
    if (message == nullptr) return false;
    const http::HeaderMap& headers = message->headers;
    for (const http::Field* field = headers.find(name); field != nullptr;
         field = headers.find_after(field, name)) {
      if (each(field->value())) return true;
    }
    return false;
  };
  switch (operand.kind) {
    case Kind::pseudo: {
      const auto text = http::text_of(operand.pseudo, exchange, http::subject_of(exchange));
      return text && visit(*text);
    }
    case Kind::header:
      return fields(http::subject_of(exchange), operand.name, visit);
    case Kind::request:
      return fields(exchange.request, operand.name, visit);
    case Kind::response:
      return fields(exchange.response, operand.name, visit);
    case Kind::cookie:
      break;
  }
  const auto sent = [&](std::string_view value) {
    while (!value.empty()) {
      const http::CookiePart part = http::take_cookie_part(value);
      if (part.has_value && part.name == operand.name && visit(part.value)) return true;
    }
    return false;
  };
  const auto given = [&](std::string_view value) {
    while (!value.empty()) {
      const auto cookie = http::parse_set_cookie(http::take_set_cookie(value));
      if (!cookie.blank() && cookie.name == operand.name && visit(cookie.value)) return true;
    }
    return false;
  };
  return fields(exchange.request, "Cookie", sent) || fields(exchange.response, "Set-Cookie", given);
}

}  // namespace rehead::select
