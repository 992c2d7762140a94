// Cookie grammar as user agents read it (RFC 6265bis 5.6): views into a Set-Cookie or Cookie value,
// no byte of it changed. Nothing is refused here: any text is a cookie of some name and value.
//
//   Set-Cookie: sid=31d4; Path=/; HttpOnly        name "sid", value "31d4", two attributes
//   Cookie: sid=31d4; lang=en                     two pairs
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace rehead::http {

/// A piece between semicolons: a name, and a value behind the first '=' if there is one.
struct CookiePart {
  std::string_view text;   // as it stands, blanks around it included
  std::string_view name;   // blanks around it removed; all of the part where there is no '='
  std::string_view value;  // the same; empty where there is no '='
  bool has_value = false;  // there is a '='
};

/// Takes the first part and the semicolon behind it off `rest`.
CookiePart take_cookie_part(std::string_view& rest);

/// Writes a Cookie value with some pairs changed to `out`: edit(const CookiePart&) gives what
/// stands in the place of a pair as std::optional<std::string_view>, its own trimmed text for no
/// change, nullopt to take it out. The bytes of the others stay. True if anything changed.
template <typename Edit>
bool edit_cookie(std::string_view value, std::string& out, Edit edit) {
  bool changed = false;
  out.clear();
  for (std::string_view rest = value; !rest.empty();) {
    const CookiePart part = take_cookie_part(rest);
    const std::string_view own = ascii::trim(part.text);
    const std::optional<std::string_view> text = edit(part);
    changed = changed || text != own;
    if (!text) continue;
    if (!out.empty()) {
      out += ';';
      out += part.text.substr(0, part.text.find_first_not_of(" \t"));
    }
    out += *text;
  }
  return changed;
}

struct SetCookie {
  std::string_view text;  // the whole cookie, blanks around it removed
  std::string_view name;  // empty for a nameless cookie: a first part without '=' is its value
  std::string_view value;
  std::string_view attributes;  // behind the first semicolon, to be taken part by part

  /// No name and no value: user agents ignore it (RFC 6265bis 5.7).
  bool blank() const { return name.empty() && value.empty(); }
  /// The value of an attribute, any case; of several the last counts (RFC 6265bis 5.7).
  std::optional<std::string_view> attribute(std::string_view wanted) const;
  /// What Domain says, without a leading dot; empty if there is none.
  std::string_view domain() const;
  /// What Path says; empty if there is none or it begins with no slash.
  std::string_view path() const;
};

SetCookie parse_set_cookie(std::string_view text);

/// Takes the first cookie off a Set-Cookie value that may hold several: separated by LF (HAR,
/// Rack), or folded into a comma list. A comma separates only where a token and '=' follow, never
/// inside quotes, and without a blank behind it only after an attribute: opts=a=1,part=x is one
/// cookie. The comma in a date never separates. Blanks around the cookie are removed.
std::string_view take_set_cookie(std::string_view& rest);

/// What a user agent's store tells cookies apart by (RFC 6265bis 5.7, CHIPS for partitioned ones).
struct CookieKey {
  std::string_view name;    // exact
  std::string_view domain;  // any case
  std::string_view path;    // exact
  bool partitioned;         // stored apart from unpartitioned ones
};
CookieKey key_of(const SetCookie& cookie);
/// An order of keys in which equal ones stand together.
bool key_before(const CookieKey& a, const CookieKey& b);

}  // namespace rehead::http
