// Do the bytes at a place make up the head of a message (RFC 9112 2.1)? A look-ahead only: it
// builds nothing and may be asked again with more bytes, going on where it stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rehead::http {

class HeadScanner {
 public:
  enum class Answer : std::uint8_t { yes, no, more };
  struct Rules {
    bool requests = false;  // a request line counts, too
    bool strict = false;    // in the middle of a body: one line end throughout, plain names, no NUL
    bool lf = false;        // strict: that line end is a bare LF
    std::size_t max_head = 0;  // bytes
  };

  /// Starts anew at the first byte of what scan() will be given.
  void start(const Rules& rules) {
    rules_ = rules;
    at_ = searched_ = 0;
    lines_ = 0;
    crlf_ = false;
  }
  /// `window` begins at p and holds at least what it held before; `at_end`: there is no more.
  Answer scan(std::string_view window, bool at_end);
  /// After `no`: a head that begins behind this one and whose start line ends before this offset is
  /// none either, since it meets the same lines.
  std::size_t stopped() const { return at_; }

 private:
  bool fits(std::string_view line) const;
  Answer ended(std::string_view rest) const;

  Rules rules_;
  std::size_t at_ = 0;        // start of the first line not yet accepted
  std::size_t searched_ = 0;  // no LF between at_ and here
  std::size_t lines_ = 0;     // accepted lines
  bool crlf_ = false;         // one of them ended in CRLF
};

}  // namespace rehead::http
