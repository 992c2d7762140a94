#include "format/request_url.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "http/pseudo_field.h"
#include "http/url.h"

namespace rehead::format {

std::string request_url(const http::Exchange& exchange) {
  std::string url(http::url_of(exchange).value_or(std::string_view()));
  if (!http::split_url(url).scheme.empty() || !exchange.url.empty()) return url;
  return "http://" + (url.starts_with('/') ? "localhost" + url : url);
}

std::string encoded(std::string_view url) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : url) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F) {
      out += c;
      continue;
    }
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string_view target_of(std::string_view method, std::string_view url) {
  const http::Url parts = http::split_url(url);
  if (parts.scheme.empty()) return url.substr(0, url.find('#'));
  if (method == "CONNECT") return parts.authority;
  return parts.target().empty() ? std::string_view("/") : parts.target();
}

bool is_http_url(std::string_view url) {
  constexpr std::array<std::string_view, 4> kHttp = {"http", "https", "ws", "wss"};
  const std::string_view scheme = http::split_url(url).scheme;
  return std::ranges::any_of(kHttp,
                             [&](std::string_view known) { return ascii::equal(known, scheme); });
}

std::string_view host_of(std::string_view url) {
  const std::string_view authority = http::split_url(url).authority;
  return authority.substr(authority.rfind('@') + 1);
}

std::string absolute_url(std::string_view location, std::string_view base) {
  const http::Url of = http::split_url(base);
  if (of.scheme.empty() || !http::split_url(location).scheme.empty()) return std::string(location);
  std::string url(of.scheme);
  if (location.starts_with("//")) return (url += ':') += location;
  if (!location.starts_with('/')) return std::string(location);
  return ((url += "://") += of.authority) += location;
}

}  // namespace rehead::format
