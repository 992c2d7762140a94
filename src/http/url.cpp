#include "http/url.h"

#include "base/ascii.h"

namespace rehead::http {
namespace {

/// RFC 3986 3.1; empty if `text` does not begin with a scheme and "://".
std::string_view scheme_of(std::string_view text) {
  const std::size_t end = text.find("://");
  if (end == std::string_view::npos || end == 0) return {};
  for (const char c : text.substr(0, end)) {
    const char l = ascii::lower(c);
    const bool letter = l >= 'a' && l <= 'z';
    if (!letter && !ascii::is_digit(c) && c != '+' && c != '-' && c != '.') return {};
  }
  return text.substr(0, end);
}

}  // namespace

std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

std::string_view Url::host() const {
  const std::size_t at = authority.rfind('@');
  return without_port(at == std::string_view::npos ? authority : authority.substr(at + 1));
}

std::string_view Url::target() const {
  const std::size_t size = path.size() + (has_query ? query.size() + 1 : 0);
  return {path.data(), size};
}

Url split_url(std::string_view text) {
  Url url;
  url.scheme = scheme_of(text);
  if (!url.scheme.empty()) {
    text.remove_prefix(url.scheme.size() + 3);
    url.authority = text.substr(0, text.find_first_of("/?#"));
    text.remove_prefix(url.authority.size());
  }
  if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
    url.fragment = text.substr(hash + 1);
    text = text.substr(0, hash);
  }
  const std::size_t mark = text.find('?');
  url.has_query = mark != std::string_view::npos;
  url.path = text.substr(0, mark);
  if (url.has_query) url.query = text.substr(mark + 1);
  return url;
}

}  // namespace rehead::http
