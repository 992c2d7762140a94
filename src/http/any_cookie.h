// The values of a cookie in an exchange: of the request's Cookie and the response's Set-Cookie.
#pragma once

#include <string_view>

#include "http/cookie.h"
#include "http/field_name.h"

namespace rehead::http {

/// Calls visit(std::string_view) -> bool for the value of each cookie called `name` until it
/// returns true, and says whether it did.
template <typename Visit>
bool any_cookie(const FieldName& name, const Exchange& exchange, Visit visit) {
  if (exchange.request != nullptr) {
    const HeaderMap& headers = exchange.request->headers;
    for (const Field* field = headers.find("Cookie"); field != nullptr;
         field = headers.find_after(field, "Cookie")) {
      std::string_view rest = field->value();
      while (!rest.empty()) {
        const CookiePart part = take_cookie_part(rest);
        if (part.has_value && name.matches_cookie(part.name) && visit(part.value)) return true;
      }
    }
  }
  if (exchange.response == nullptr) return false;
  const HeaderMap& headers = exchange.response->headers;
  for (const Field* field = headers.find("Set-Cookie"); field != nullptr;
       field = headers.find_after(field, "Set-Cookie")) {
    std::string_view rest = field->value();
    while (!rest.empty()) {
      const SetCookie cookie = parse_set_cookie(take_set_cookie(rest));
      if (!cookie.blank() && name.matches_cookie(cookie.name) && visit(cookie.value)) return true;
    }
  }
  return false;
}

}  // namespace rehead::http
