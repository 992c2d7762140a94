// One HTTP message, complete in itself: start line, headers, body, trailers, and notes of what the
// source found. It owns the arena its views may point into; other views point into
// the source's buffer and die when the source goes on to the next message.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "http/body.h"
#include "http/header_map.h"
#include "http/notes.h"
#include "http/start_line.h"

namespace rehead::http {

struct Message {
  Kind kind = Kind::response;
  StartLine start;
  Notes notes;
  Delivery delivery;

  Arena arena;
  HeaderMap headers{arena};
  HeaderMap trailers{arena};    // known once the body has ended
  std::string_view blank_line;  // the empty line that ended the head, as read

  Body* body = nullptr;        // null: there is none to read (Framing none or withheld); not owned
  Diagnostics* log = nullptr;  // never null once a source has set it; not owned

  /// A copy of `text` that lives as long as the message.
  std::string_view keep(std::string_view text) { return arena.keep(text); }
  bool is_http11() const { return start.version() == "HTTP/1.1"; }
  bool interim() const {
    return kind == Kind::response && start.status() >= 100 && start.status() < 200;
  }
  /// True where status or method rule out content (RFC 9110 6.4.1): 1xx, 204, 205, 304.
  bool bodiless_status() const {
    return kind == Kind::response && (start.status() < 200 || start.status() == 204 ||
                                      start.status() == 205 || start.status() == 304);
  }
  void clear();
};

}  // namespace rehead::http
