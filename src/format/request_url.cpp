#include "format/request_url.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace rehead::format {

std::string request_url(const http::Exchange& exchange, const http::Message& request) {
  if (!exchange.url.empty()) return std::string(exchange.url);
  if (scheme_end(request.target) != std::string_view::npos) return std::string(request.target);
  const http::Field* host = request.headers.find("Host");
  std::string url = "http://";
  if (request.method == "CONNECT") return url += request.target;
  url += host != nullptr && !host->value().empty() ? host->value() : "localhost";
  if (request.target.starts_with('/')) url += request.target;
  return url;
}

std::size_t scheme_end(std::string_view url) {
  const auto in_scheme = [](char c) {
    const char low = ascii::lower(c);
    return (low >= 'a' && low <= 'z') || ascii::is_digit(c) || c == '+' || c == '-' || c == '.';
  };
  std::size_t end = 0;
  while (end < url.size() && in_scheme(url[end])) ++end;
  return end != 0 && url.substr(end).starts_with("://") ? end : std::string_view::npos;
}

bool is_http_url(std::string_view url) {
  const std::size_t end = scheme_end(url);
  if (end == std::string_view::npos) return false;
  constexpr std::array<std::string_view, 4> kHttp = {"http", "https", "ws", "wss"};
  return std::ranges::any_of(
      kHttp, [&](std::string_view known) { return ascii::equal(known, url.substr(0, end)); });
}

std::string_view authority_of(std::string_view url) {
  const std::size_t scheme = scheme_end(url);
  if (scheme == std::string_view::npos) return {};
  url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  const std::size_t user = url.rfind('@');
  return user == std::string_view::npos ? url : url.substr(user + 1);
}

}  // namespace rehead::format
