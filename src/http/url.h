// A URL or a request target taken apart (RFC 3986 3, RFC 9112 3.2). Views in, views out; nothing is
// decoded or judged, any text has parts.
//
//   http://user@example.com:8080/a/b?q=1#top      https://example.com/      /a/b?q=1      *
//   scheme \______ authority ______/path query fragment
#pragma once

#include <string_view>

namespace rehead::http {

struct Url {
  std::string_view scheme;     // empty for a target in origin form
  std::string_view authority;  // user, host and port
  std::string_view path;
  std::string_view query;     // without the question mark
  std::string_view fragment;  // without the hash
  bool has_query = false;

  /// The authority without user and port; an IPv6 address keeps its brackets.
  std::string_view host() const;
  /// Path and query as they stand, without the fragment: what a request line holds.
  std::string_view target() const;
};

Url split_url(std::string_view text);

/// The host of `HOST[:PORT]`, as in a Host field.
std::string_view without_port(std::string_view host);

}  // namespace rehead::http
