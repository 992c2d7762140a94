#include "report/lint_cookies.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "http/cookie.h"
#include "http/date.h"

namespace rehead::report {
namespace {

bool has_prefix(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && ascii::equal(text.substr(0, prefix.size()), prefix);
}

/// When the message was sent. Where nothing says so: when RFC 6265 was new, as what expired before
/// was never meant to last (1970, 1997).
http::Instant now_of(const http::Exchange& exchange) {
  const http::Field* date = exchange.response->headers.find("Date");
  const auto sent = date != nullptr ? http::iso_time(date->value()) : std::nullopt;
  auto now = sent ? http::parse_instant(*sent) : http::parse_instant(exchange.time);
  if (!now) now = http::parse_instant("2011-04-01");
  return *now;
}

/// A cookie set to be forgotten. Max-Age outweighs Expires (RFC 6265bis 5.7).
bool deletes(const http::SetCookie& cookie, const http::Instant& now) {
  if (const auto age = cookie.attribute("Max-Age")) {
    return age->starts_with('-') || (!age->empty() && age->find_first_not_of('0') == age->npos);
  }
  const auto expires = cookie.attribute("Expires");
  const auto time = expires ? http::iso_time(*expires) : std::nullopt;
  const auto instant = time ? http::parse_instant(*time) : std::nullopt;
  return instant && *instant <= now;
}

/// True if the value ends behind the weekday of its Expires: a tool took the comma for a separator.
bool is_cut(const http::SetCookie& cookie) {
  constexpr std::string_view kDays[] = {"monday", "tuesday",  "wednesday", "thursday",
                                        "friday", "saturday", "sunday"};
  const auto expires = cookie.attribute("Expires");
  return expires && expires->size() >= 3 &&
         std::ranges::any_of(kDays, [&](std::string_view day) {
           return ascii::equal(*expires, day.substr(0, 3)) || ascii::equal(*expires, day);
         });
}

/// The rest of a cookie that was cut: a date, and attributes behind it.
bool is_rest(const http::SetCookie& cookie) {
  return cookie.name.empty() && http::iso_time(cookie.value).has_value();
}

void look_at(const http::SetCookie& cookie, const http::Instant& now, const AddFault& add) {
  const std::string name = "cookie " + ascii::quoted(cookie.name);
  const bool secure = cookie.attribute("Secure").has_value();
  const auto same_site = cookie.attribute("SameSite");
  std::string lacks;
  if (!secure) lacks += " Secure";
  if (!cookie.attribute("HttpOnly")) lacks += " HttpOnly";
  if (!same_site) lacks += " SameSite";
  if (!lacks.empty() && !deletes(cookie, now)) add("cookie-weak", name + " lacks" + lacks);
  if (same_site && ascii::equal(*same_site, "None") && !secure) {
    add("cookie-refused", name + " is SameSite=None without Secure");
  }
  if (cookie.attribute("Partitioned") && !secure) {
    add("cookie-refused", name + " is Partitioned without Secure");
  }
  const bool nameless = cookie.name.empty();
  const std::string_view prefixed = nameless ? cookie.value : cookie.name;
  const bool host = has_prefix(prefixed, "__Host-");
  if (!host && !has_prefix(prefixed, "__Secure-")) return;
  const bool bound = secure && (!host || (cookie.path() == "/" && cookie.domain().empty()));
  if (nameless) {
    add("cookie-refused", "a nameless cookie whose value begins with such a prefix: " +
                              std::string(host ? "__Host-" : "__Secure-"));
  } else if (!bound) {
    add("cookie-refused", name + " lacks the attributes its prefix requires");
  }
}

}  // namespace

void look_at_cookies(const http::Exchange& exchange, const AddFault& add) {
  const http::Instant now = now_of(exchange);
  bool cut = false;  // the cookie before
  exchange.response->headers.for_each("Set-Cookie", [&](const http::Field& field) {
    std::string_view rest = field.value();
    std::size_t count = 0;
    while (!rest.empty()) {
      const http::SetCookie one = http::parse_set_cookie(http::take_set_cookie(rest));
      if (one.blank()) continue;
      ++count;
      if (std::exchange(cut, is_cut(one)) && is_rest(one)) continue;
      if (cut) add("set-cookie-cut", "cookie " + ascii::quoted(one.name) + " is cut in its Expires");
      look_at(one, now, add);
    }
    if (count == 0) add("set-cookie-blank", "a Set-Cookie without a cookie");
    if (count > 1) {
      add("set-cookie-joined", std::to_string(count) + " cookies in one Set-Cookie field");
    }
  });
}

}  // namespace rehead::report
