// One HTTP message, complete in itself: start line, headers, body, trailers, and the notes of what
// the bytes were found to be. It owns the arena its views may point into; other views point into
// the source's buffer and die when the source goes on to the next message.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "http/body.h"
#include "http/header_map.h"

namespace rehead::http {

enum class Kind : std::uint8_t { request, response };

/// How the body stood in the input (spec section 4). The verdict of the source, from the bytes.
enum class Framing : std::uint8_t {
  none,      // no body by status or method (RFC 9112 6.3), or a request without length
  length,    // Content-Length bytes
  chunked,   // chunks on the wire (RFC 9112 7.1)
  close,     // to the next message or the end
  decoded,   // the head claims a framing or coding that curl had already taken off
  withheld,  // a head alone: the body it describes was not printed (HEAD, followed redirect)
  opaque,    // the bytes after 101: another protocol
};

/// A content coding as the bytes carry it (RFC 9110 8.4.1).
enum class Coding : std::uint8_t { gzip, deflate, br, zstd, other };

/// What the chain wants of the framing on output; the sink has the last word (spec section 5).
struct Delivery {
  enum class Framing : std::uint8_t { as_found, length, chunked };
  enum class Trailers : std::uint8_t { drop, merge, keep };
  Framing framing = Framing::as_found;
  Trailers trailers = Trailers::keep;
  std::uint64_t chunk_size = 0;  // bytes of content in a chunk; 0 = the sink's own
  bool discarded = false;        // drop-body: HAR takes text and encoding out, recorded sizes stay
  bool cookies_in_one = false;   // HAR: all Set-Cookie values in one header, separated by LF
};

struct Message {
  Kind kind = Kind::response;
  std::uint64_t number = 0;  // from 1 within its input
  std::uint64_t offset = 0;  // of its first byte in the uncompressed input
  std::uint64_t line = 0;    // of its first byte, from 1

  // Start line, RFC 9112 3 and 4. `start_line` is the line as read with its line end, empty once a
  // part was changed: the sink then writes the parts.
  std::string_view start_line;
  std::string_view version;  // "HTTP/1.1", "HTTP/2", ...
  std::string_view method;   // requests
  std::string_view target;   // requests
  unsigned status = 0;       // responses
  std::string_view reason;   // responses, may be empty

  Arena arena;
  HeaderMap headers{arena};
  HeaderMap trailers{arena};        // known once the body has ended
  std::uint64_t lines_dropped = 0;  // of the head: without a colon, or without a proper name
  bool head_complete = true;        // false: the input ended inside the head
  bool lf_head = false;             // every line of the head ended in a bare LF
  std::string_view blank_line;      // the empty line that ended the head, as read

  Body* body = nullptr;  // null: there is none to read (Framing none or withheld); not owned
  Framing framing = Framing::none;
  std::uint64_t declared = 0;  // Framing::length: the length the head states, in bytes

  // Which codings the content really carries, outermost last; the labels may say otherwise.
  std::vector<Coding> codings;
  bool coding_label_false = false;    // Content-Encoding names what was already decoded
  bool transfer_label_false = false;  // Transfer-Encoding names what was already taken off
  bool length_label_false = false;    // Content-Length does not describe these bytes
  bool recorded = false;  // a half of an entry: its labels tell of the wire, which is no fault

  Delivery delivery;
  Diagnostics* log = nullptr;  // never null once a source has set it; not owned

  /// A copy of `text` that lives as long as the message.
  std::string_view keep(std::string_view text) { return arena.keep(text); }
  bool is_http11() const { return version == "HTTP/1.1"; }
  bool interim() const { return kind == Kind::response && status >= 100 && status < 200; }
  /// True where status or method rule out content (RFC 9110 6.4.1): 1xx, 204, 205, 304.
  bool bodiless_status() const {
    return kind == Kind::response &&
           (status < 200 || status == 204 || status == 205 || status == 304);
  }
  void clear();
};

}  // namespace rehead::http
