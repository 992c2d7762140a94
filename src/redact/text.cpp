#include "redact/text.h"

#include <algorithm>

#include "base/ascii.h"
#include "http/cookie.h"
#include "http/url.h"

namespace rehead::redact {
namespace {

bool has_blank(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
}

/// Signs stand bare where they stood bare in `before` (RFC 3986 2.2 leaves that to the writer).
std::string percent_encoded(std::string_view text, std::string_view before) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = ascii::lower(c) >= 'a' && ascii::lower(c) <= 'z';
    const bool bare = letter || ascii::is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
    if (bare || (c != '%' && c != '+' && before.find(c) != before.npos)) {
      out += c;
    } else if (c == ' ' && before.find('+') != before.npos) {
      out += '+';
    } else {
      ((out += '%') += kDigits[byte >> 4U]) += kDigits[byte & 15U];
    }
  }
  return out;
}

/// True for what looks like no word and no anchor of a page: letters and digits, large and small
/// ones mixed.
bool looks_random(std::string_view text) {
  constexpr std::size_t kShortest = 12;
  std::size_t size = 0;
  unsigned kinds = 0;
  for (const char c : text) {
    const bool digit = ascii::is_digit(c);
    const bool small = c >= 'a' && c <= 'z';
    const bool large = c >= 'A' && c <= 'Z';
    size = digit || small || large ? size + 1 : 0;
    kinds = size == 0 ? 0 : kinds | (digit ? 1U : 0U) | (small ? 2U : 0U) | (large ? 4U : 0U);
    if (size >= kShortest && (kinds & (kinds - 1)) != 0) return true;
  }
  return false;
}

/// A cookie's value whose quotes hold a semicolon: a user agent ends it there, whoever wrote it did
/// not. All of it, taken off `rest`, which stands behind it.
std::string_view quoted_value(std::string_view value, std::string_view& rest) {
  const bool open = value.starts_with('"') && (value.size() == 1 || !value.ends_with('"'));
  const std::size_t quote = open ? rest.find('"') : rest.npos;
  if (quote == rest.npos) return value;
  const char* const end = rest.data() + quote + 1;
  rest.remove_prefix(quote + 1);
  return {value.data(), static_cast<std::size_t>(end - value.data())};
}

/// An address of this very machine tells nothing.
bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address == "0.0.0.0" || address == "::1" ||
         address == "[::1]";
}

}  // namespace

std::string percent_decoded(std::string_view text, bool form) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool hex = text[i] == '%' && i + 2 < text.size() && ascii::is(text[i + 1], ascii::kHex) &&
                     ascii::is(text[i + 2], ascii::kHex);
    if (hex) {
      out += static_cast<char>(ascii::hex_value(text[i + 1]) << 4 | ascii::hex_value(text[i + 2]));
      i += 2;
    } else {
      out += form && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

void Text::field(std::string_view name, std::string_view part) {
  while (true) {
    const std::size_t end = std::min(part.find('\n'), part.size());
    named(name, in_field, ascii::trim(part.substr(0, end)));
    if (end == part.size()) return;
    part.remove_prefix(end + 1);
  }
}

void Text::named(std::string_view name, Place place, std::string_view part) {
  if (hider_.keeps(name)) return;
  if (place != in_parameter) {
    if (ascii::equal(name, "Cookie") || ascii::equal(name, "Cookie2")) return cookies(part);
    if (ascii::starts_with(name, "Set-Cookie")) return set_cookies(part);
  }
  const auto kind = hider_.kind_of(name, place);
  if (!kind) return value(part);
  *kind == Kind::credentials ? credentials(name, part) : whole(part, *kind, name);
}

/// RFC 9110 11.4: the scheme says how to ask again, and stays.
void Text::credentials(std::string_view name, std::string_view part) {
  const std::size_t blank = part.find_first_of(" \t");
  const std::size_t rest = part.find_first_not_of(" \t", std::min(blank, part.size()));
  whole(rest == part.npos ? part : part.substr(rest), Kind::credentials, name);
}

void Text::cookies(std::string_view part) {
  while (!part.empty()) {
    const http::CookiePart cookie = http::take_cookie_part(part);
    const std::string_view value =
        cookie.has_value ? quoted_value(cookie.value, part) : ascii::trim(cookie.text);
    const std::string_view name = cookie.has_value ? cookie.name : std::string_view();
    const auto kind = hider_.cookie(name);
    kind ? whole(value, *kind, name) : prose(value);
  }
}

void Text::set_cookies(std::string_view part) {
  while (!part.empty()) {
    const http::SetCookie cookie = http::parse_set_cookie(http::take_set_cookie(part));
    const auto kind = hider_.cookie(cookie.name);
    std::string_view attributes = cookie.attributes;
    const std::string_view value = quoted_value(cookie.value, attributes);
    kind ? whole(value, *kind, cookie.name) : prose(value);
    prose(attributes);
  }
}

void Text::whole(std::string_view part, Kind kind, std::string_view name, std::string_view value) {
  if (part.empty() ||
      is_hidden(kind == Kind::user ? percent_decoded(part, false) : std::string(part)))
    return;
  if (kind == Kind::address && is_loopback(part)) return;
  if (value.empty() && part.size() > 2 && part.starts_with('"') && part.ends_with('"')) {
    value = part.substr(1, part.size() - 2);
    if (is_hidden(value)) return;
  }
  secrets_.push_back(
      {offset(part), part.size(), kind, hider_.spot(), std::string(name), std::string(value)});
}

void Text::respelt(std::string_view part, std::string spelt) {
  secrets_.push_back(
      {.at = offset(part), .size = part.size(), .value = std::move(spelt), .done = true});
}

void Text::found(std::string_view part, const std::vector<Found>& found) {
  for (const Found& each : found) {
    const std::string_view shown = part.substr(each.at, each.size);
    if (shown.find('%') != shown.npos && is_hidden(percent_decoded(shown, false))) continue;
    secrets_.push_back(
        {offset(part) + each.at, each.size, each.kind, hider_.spot(), {}, std::string(each.value)});
  }
}

void Text::value(std::string_view part) {
  const bool opens = part.starts_with('{') || part.starts_with('[');
  if (!opens || !json(part)) prose(part);
}

void Text::prose(std::string_view part) {
  shapes(part);
  const bool marked = part.find('?') != part.npos || part.find('#') != part.npos;
  const bool one = marked && !has_blank(part) && part.find_first_of("\"{}<>") == part.npos;
  one ? parts_of_url(part) : addresses(part);
}

void Text::shapes(std::string_view part) {
  if (shown_) {
    const std::size_t begin = offset(part);
    const std::size_t end = begin + part.size();
    auto each = std::ranges::lower_bound(*shown_, begin, {}, &Found::at);
    bool inside = true;
    std::vector<Found> here;
    for (; each != shown_->end() && each->at < end && inside; ++each) {
      here.push_back(*each);
      here.back().at -= begin;
      inside = each->at + each->size <= end;
    }
    if (inside) return found(part, here);
  }
  std::vector<Found> shown;
  hider_.find(part, shown);
  found(part, shown);
}

void Text::look_through(std::string_view part) {
  if (shown_) return;
  std::vector<Found>& shown = shown_.emplace();
  hider_.find(part, shown);
  for (Found& each : shown) each.at += offset(part);
  std::ranges::sort(shown, {}, &Found::at);
}

void Text::known(std::string_view part) {
  std::vector<Found> shown;
  hider_.find_known(part, shown);
  found(part, shown);
}

/// URLs that stand among other text.
void Text::addresses(std::string_view part) {
  constexpr std::string_view kEnds = " \t\r\n\"'<>\\^`{|}";
  for (std::size_t at = part.find("://"); at != part.npos; at = part.find("://", at)) {
    std::size_t begin = at;
    while (begin > 0 && ascii::is(part[begin - 1], ascii::kToken) && part[begin - 1] != '\'')
      --begin;
    const std::size_t end = std::min(part.find_first_of(kEnds, at), part.size());
    std::string_view url = part.substr(begin, end - begin);
    while (url.ends_with(';') || url.ends_with(',')) url.remove_suffix(1);
    parts_of_url(url);
    at = end;
  }
}

void Text::url(std::string_view part) {
  shapes(part);
  parts_of_url(part);
}

void Text::parts_of_url(std::string_view part) {
  const http::Url url = http::split_url(part);
  user(url.authority);
  path(url.path);
  if (!url.query.empty()) pairs(url.query);
  if (!url.fragment.empty()) fragment(url.fragment);
}

/// RFC 3986 3.2.1: user:password before the @.
void Text::user(std::string_view authority) {
  const std::size_t at = authority.rfind('@');
  if (at == authority.npos) return;
  const std::string_view name = authority.substr(0, std::min(at, authority.find(':')));
  whole(name, Kind::user, {});
  if (name.size() < at)
    whole(authority.substr(name.size() + 1, at - name.size() - 1), Kind::user, {});
}

/// RFC 3986 3.3: /path;name=value
void Text::path(std::string_view part) {
  for (std::size_t at = part.find(';'); at != part.npos; at = part.find(';', at + 1)) {
    const std::string_view one = part.substr(at + 1, part.find_first_of(";/", at + 1) - at - 1);
    if (const std::size_t equals = one.find('='); equals != one.npos) hide_parameter(one, equals);
  }
}

/// Parameters, of a route or alone; the name of a place in a page; or a secret of its own.
void Text::fragment(std::string_view part) {
  if (part.find('=') != part.npos) {
    return pairs(part);
  }
  const std::string decoded = percent_decoded(part, false);
  if (looks_random(decoded))
    whole(part, Kind::token, {}, decoded == part ? std::string() : decoded);
}

void Text::parameters(std::string_view part) {
  shapes(part);
  pairs(part);
}

/// A value may be a URL with parameters of its own, and so on: what stands behind a ? or # in it is
/// taken as if it stood behind a &.
void Text::pairs(std::string_view part) {
  while (!part.empty()) {
    const std::size_t end = std::min(part.find('&'), part.size());
    std::string_view piece = part.substr(0, end);
    while (!piece.empty()) {
      const std::string_view whole = piece.substr(0, piece.find_first_of("?#"));
      const std::size_t equals = whole.find('=');
      const bool named = equals != whole.npos;
      if (named && hide_parameter(piece, equals)) break;
      if (named) value_of_parameter(whole.substr(equals + 1));
      piece.remove_prefix(std::min(whole.size() + 1, piece.size()));
    }
    part.remove_prefix(std::min(end + 1, part.size()));
  }
}

/// True if name=value was all there is to do: it is hidden, or may stay.
bool Text::hide_parameter(std::string_view part, std::size_t equals) {
  const std::string name = percent_decoded(part.substr(0, equals), true);
  const std::string_view raw = part.substr(equals + 1);
  if (hider_.keeps(name)) return true;
  // a[token] and a.token are spelt so by many.
  std::string_view last = name;
  if (last.ends_with(']')) last.remove_suffix(1);
  last.remove_prefix(last.find_last_of("[.") + 1);
  for (const std::string_view each : {std::string_view(name), last}) {
    const auto kind = hider_.kind_of(each, in_parameter);
    if (!kind) continue;
    const std::string value = percent_decoded(raw, true);
    if (!is_hidden(value)) whole(raw, *kind, name, value == raw ? std::string() : value);
    return true;
  }
  return false;
}

void Text::value_of_parameter(std::string_view raw) {
  if (raw.find_first_of("%+") == raw.npos) {
    if (raw.find(':') == raw.npos && raw.find(';') == raw.npos) return;
    const http::Url url = http::split_url(raw);
    user(url.authority);
    return path(url.path);
  }
  if (depth_ == kDeepest) return;
  const std::string value = percent_decoded(raw, true);
  if (is_hidden(value)) return;
  Text inner(hider_, value, depth_ + 1);
  inner.value(inner.all());
  std::string out;
  if (inner.apply(out)) respelt(raw, percent_encoded(out, raw));
}

std::vector<http::TextEdit> Text::edits() {
  std::ranges::sort(secrets_, [](const Secret& a, const Secret& b) {
    return a.at != b.at ? a.at < b.at : a.size > b.size;
  });
  std::vector<http::TextEdit> edits;
  for (std::size_t i = 0; i < secrets_.size();) {
    Secret& secret = secrets_[i];
    const std::size_t own = secret.size;
    // Of what overlaps all goes.
    for (++i; i < secrets_.size() && secrets_[i].at < secret.at + secret.size; ++i) {
      secret.size = std::max(secret.size, secrets_[i].at + secrets_[i].size - secret.at);
    }
    const bool grown = secret.size != own;
    if (secret.done && !grown) {
      edits.push_back({secret.at, secret.size, std::move(secret.value)});
      continue;
    }
    const std::string_view shown = text_.substr(secret.at, secret.size);
    const bool coded = !secret.value.empty() && !grown;
    std::string hidden = hider_.hide(coded ? std::string_view(secret.value) : shown, secret.kind,
                                     secret.name, secret.spot);
    if (secret.quoted) hidden = '"' + hidden + '"';
    // RFC 3986 3.2.1: a colon there begins the password.
    if (const auto colon = hidden.find(':'); secret.kind == Kind::user && colon != hidden.npos) {
      hidden.replace(colon, 1, "%3A");
    }
    edits.push_back({secret.at, secret.size, std::move(hidden)});
  }
  secrets_.clear();
  return edits;
}

bool Text::apply(std::string& out) {
  if (secrets_.empty()) return false;
  out.clear();
  std::size_t done = 0;
  for (const http::TextEdit& edit : edits()) {
    out += text_.substr(done, edit.at - done);
    out += edit.text;
    done = edit.at + edit.size;
  }
  out += text_.substr(done);
  return true;
}

}  // namespace rehead::redact
