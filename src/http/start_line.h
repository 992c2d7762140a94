// The first line of a message: RFC 9112 3 (request line) and 4 (status line), with the spellings
// that curl prints for HTTP/2 and HTTP/3 ("HTTP/2 200 ").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/arena.h"

namespace rehead::http {

enum class Kind : std::uint8_t { request, response };

/// Views into the line read, or into the arena of the message. A part that changes makes the line
/// as read invalid: sinks then write the parts. Setting what is there already is no change.
class StartLine {
 public:
  /// The line with its line end, as read; empty if there is none or a part was changed.
  std::string_view as_read() const { return as_read_; }
  std::string_view version() const { return version_; }  // "HTTP/1.1", "HTTP/2", ...
  std::string_view method() const { return method_; }    // requests
  std::string_view target() const { return target_; }    // requests
  unsigned status() const { return status_; }            // responses; 0: unknown
  std::string_view reason() const { return reason_; }    // responses; trimmed, may be empty

  void set_version(std::string_view version) { set(version_, version); }
  void set_method(std::string_view method) { set(method_, method); }
  void set_target(std::string_view target) { set(target_, target); }
  void set_status(unsigned status) { set(status_, status); }
  void set_reason(std::string_view reason) { set(reason_, reason); }

  /// `line`: the parts were read from it, line end included.
  void read_from(std::string_view line) { as_read_ = line; }
  /// A copy whose text is in `arena`.
  StartLine kept_in(Arena& arena) const;
  /// Compares the text, not where it is stored.
  bool operator==(const StartLine&) const = default;

 private:
  template <typename T>
  void set(T& part, T value) {
    if (part != value) as_read_ = {};
    part = value;
  }

  std::string_view as_read_;
  std::string_view version_;
  std::string_view method_;
  std::string_view target_;
  std::string_view reason_;
  unsigned status_ = 0;
};

/// True for a version as start lines have it: HTTP/1.0, HTTP/1.1, HTTP/2, HTTP/3, HTTP/2.0,
/// HTTP/3.0.
bool is_version(std::string_view text);

/// Views into `line` and static text. A status line without its line end, in every spelling that
/// curl takes: HTTP/(1.x|2|3) in any case, SP+, 3 digits, then the reason or nothing (`404: Not
/// Found`, `200OK`, a TAB behind the code). The version is in its canonical spelling; as_read() is
/// `line` if all of it is, else empty.
std::optional<StartLine> parse_status_line(std::string_view line);
/// The same for a request line: token SP+ target SP+ HTTP/(1.x|2|3).
std::optional<StartLine> parse_request_line(std::string_view line);

/// True if some status line, line end included, begins with `text`, or `text` with such a line.
bool may_be_status_line(std::string_view text);

}  // namespace rehead::http
