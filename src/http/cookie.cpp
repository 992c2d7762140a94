#include "http/cookie.h"

#include <algorithm>

#include "base/ascii.h"

namespace rehead::http {
namespace {

std::string_view strip(std::string_view text) {
  const auto strips = [](char c) { return ascii::is_blank(c) || c == '\r'; };
  while (!text.empty() && strips(text.front())) text.remove_prefix(1);
  while (!text.empty() && strips(text.back())) text.remove_suffix(1);
  return text;
}

/// Whether a cookie begins here: blanks, a token, '='.
bool begins_cookie(std::string_view text) {
  while (!text.empty() && ascii::is_blank(text.front())) text.remove_prefix(1);
  std::size_t size = 0;
  while (size < text.size() && ascii::is(text[size], ascii::kToken)) ++size;
  return size > 0 && size < text.size() && text[size] == '=';
}

}  // namespace

CookiePart take_cookie_part(std::string_view& rest) {
  CookiePart part;
  const std::size_t semicolon = rest.find(';');
  part.text = rest.substr(0, semicolon);
  rest.remove_prefix(semicolon == std::string_view::npos ? rest.size() : semicolon + 1);
  const std::size_t equals = part.text.find('=');
  part.has_value = equals != std::string_view::npos;
  part.name = ascii::trim(part.text.substr(0, equals));
  if (part.has_value) part.value = ascii::trim(part.text.substr(equals + 1));
  return part;
}

SetCookie parse_set_cookie(std::string_view text) {
  SetCookie cookie;
  cookie.text = text;
  cookie.attributes = text;
  const CookiePart first = take_cookie_part(cookie.attributes);
  cookie.name = first.has_value ? first.name : std::string_view();
  cookie.value = first.has_value ? first.value : first.name;
  return cookie;
}

std::optional<std::string_view> SetCookie::attribute(std::string_view wanted) const {
  std::optional<std::string_view> found;
  for (std::string_view rest = attributes; !rest.empty();) {
    const CookiePart part = take_cookie_part(rest);
    if (ascii::equal(part.name, wanted)) found = part.value;
  }
  return found;
}

std::string_view SetCookie::domain() const {
  std::string_view domain = attribute("Domain").value_or(std::string_view());
  if (domain.starts_with('.')) domain.remove_prefix(1);
  return domain;
}

std::string_view SetCookie::path() const {
  const std::string_view path = attribute("Path").value_or(std::string_view());
  return path.starts_with('/') ? path : std::string_view();
}

std::string_view take_set_cookie(std::string_view& rest) {
  bool attribute = false;  // behind the first semicolon of the cookie
  std::size_t end = 0;
  for (; end < rest.size() && rest[end] != '\n'; ++end) {
    if (rest[end] == ';') {
      attribute = true;
    } else if (rest[end] == '"' && end != 0 && rest[end - 1] == '=') {
      const std::size_t close = rest.find_first_of("\";\n", end + 1);
      if (close != rest.npos && rest[close] == '"') end = close;
    } else if (rest[end] == ',') {
      const std::string_view next = rest.substr(end + 1);
      const bool blank = !next.empty() && ascii::is_blank(next.front());
      if ((attribute || blank) && begins_cookie(next)) break;
    }
  }
  const std::string_view cookie = strip(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return cookie;
}

CookieKey key_of(const SetCookie& cookie) {
  return {cookie.name, cookie.domain(), cookie.path(), cookie.attribute("Partitioned").has_value()};
}

bool key_before(const CookieKey& a, const CookieKey& b) {
  if (const int order = a.name.compare(b.name); order != 0) return order < 0;
  if (const int order = a.path.compare(b.path); order != 0) return order < 0;
  if (a.partitioned != b.partitioned) return b.partitioned;
  return ascii::before(a.domain, b.domain);
}

}  // namespace rehead::http
