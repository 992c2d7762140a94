// What a source found out about a message, and what the chain asks of its delivery. Both are
// values: reset by `= {}`, copied by `=`. They hold no views and allocate nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace rehead::http {

/// How the body was delimited in the input. The verdict of the source, from the bytes.
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

/// The codings of one body, outermost last. Five is the limit of a body; a sixth place shows that
/// there are more, of which only the outermost is kept.
class Codings {
 public:
  static constexpr std::size_t kMost = 5;

  void push_back(Coding coding) {
    if (size_ <= kMost) ++size_;
    codings_[size_ - 1U] = coding;
  }
  /// Keeps the first `size` codings; there are at least as many.
  void resize(std::size_t size) { size_ = static_cast<std::uint8_t>(size); }
  void clear() { size_ = 0; }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  Coding operator[](std::size_t index) const { return codings_[index]; }
  Coding back() const { return codings_[size_ - 1U]; }
  const Coding* begin() const { return codings_.data(); }
  const Coding* end() const { return codings_.data() + size_; }
  const Coding* data() const { return codings_.data(); }

 private:
  std::array<Coding, kMost + 1> codings_ = {};
  std::uint8_t size_ = 0;
};

struct Notes {
  std::uint64_t number = 0;  // from 1 within its input
  std::uint64_t offset = 0;  // of its first byte in the uncompressed input
  std::optional<std::uint64_t> line = {};  // of its first byte, from 1, where it is counted

  std::uint64_t lines_dropped = 0;  // of the head: without a colon, or without a proper name
  bool head_complete = true;        // false: the input ended inside the head
  bool lf_head = false;             // every line of the head ended in a bare LF

  Framing framing = Framing::none;
  std::uint64_t declared = 0;  // Framing::length: the length the head states, in bytes

  Codings codings;  // which the content really carries; the labels may say otherwise
  bool coding_label_false = false;    // Content-Encoding names other ones
  bool slice = false;                 // a part of coded bytes: nothing decodes it
  bool transfer_label_false = false;  // Transfer-Encoding names what was already taken off
  bool inner_label_false = false;     // it names a coding beneath the framing that is not there
  bool length_label_false = false;    // Content-Length does not describe these bytes
  bool no_status = false;           // of a response: none is recorded (HAR: missing, null, -2)
  bool recorded = false;  // half of a recorded entry: its labels describe the wire, which is fine
};

/// What the chain wants of the framing on output; the sink has the last word.
struct Delivery {
  enum class Framing : std::uint8_t { as_found, length, chunked };
  enum class Trailers : std::uint8_t { drop, merge, keep };
  Framing framing = Framing::as_found;
  Trailers trailers = Trailers::keep;
  std::uint64_t chunk_size = 0;  // bytes of content in a chunk; 0 = the sink's own
  bool discarded = false;        // drop-body: HAR takes text and encoding out, recorded sizes stay
  bool cookies_in_one = false;   // HAR: all Set-Cookie values in one header, separated by LF

  bool operator==(const Delivery&) const = default;
};

}  // namespace rehead::http
