// Chunked transfer coding, RFC 9112 7.1, as a reader over a window of bytes:
//
//   4;ext=1 CR LF  W i k i CR LF  0 CR LF  [Name: value CR LF]* CR LF
//   size line      data    data-  last     trailer lines        end
//                          end    size line
//
// It keeps no bytes: the caller hands in what is there and is told how much of it makes up one
// part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/policy.h"

namespace rehead::codec {

class ChunkReader {
 public:
  enum class Kind : std::uint8_t {
    size_line,  // line end included
    data,       // as much of a chunk's data as the window holds
    data_end,   // the line end behind a chunk's data
    trailer,    // one trailer line, line end included
    end,        // the empty line: the body is complete
  };
  struct Part {
    Kind kind = Kind::end;
    std::string_view bytes;  // of the window, from its first byte
  };

  explicit ChunkReader(const http::Policy& policy) : policy_(&policy) {}
  /// Starts anew before a size line. `lf`: lines may end in a bare LF, too.
  void start(bool lf) {
    *this = ChunkReader(*policy_);
    lf_ = lf;
  }
  /// The part `window` begins with; nullopt: not all of it is there. Errors carry no place.
  Result<std::optional<Part>> next(std::string_view window);
  /// Data bytes of the current chunk still to come.
  std::uint64_t left() const { return left_; }
  /// Complete chunks read.
  std::uint64_t chunks() const { return chunks_; }
  bool ended() const { return state_ == State::ended; }

 private:
  enum class State : std::uint8_t { size_line, data, data_end, trailers, ended };
  Result<std::optional<Part>> size_line(std::string_view window);
  Result<std::optional<Part>> trailer(std::string_view window);
  Status line_end(std::string_view line) const;

  const http::Policy* policy_;
  State state_ = State::size_line;
  bool lf_ = false;
  std::uint64_t left_ = 0;
  std::uint64_t chunks_ = 0;
  std::size_t trailer_bytes_ = 0;
};

/// A size line without its line end: the size, or an Error saying what is wrong with it.
/// RFC 9112 7.1: hex digits, at most 16 significant; blanks after them and extensions are accepted.
Result<std::uint64_t> parse_chunk_size(std::string_view line, const http::Policy& policy);

/// A size line that parse_chunk_size() took, as RFC 9112 7.1 has it: no blanks around `;` and `=`;
/// extensions that fit no grammar are left out. nullopt: it is so already.
std::optional<std::string> canonical_chunk_line(std::string_view line);

}  // namespace rehead::codec
