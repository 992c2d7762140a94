// One coding in one direction, behind one face: gzip and deflate in zlib_coder.cpp, br in
// brotli_coder.cpp, zstd in zstd_coder.cpp. A coder is kept over all messages of a run and only
// reset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "http/message.h"

namespace rehead::codec {

/// What one call did, and what comes next.
struct Progress {
  enum class Then : std::uint8_t {
    feed,    // all input is taken: call again with more
    repeat,  // call again with what was not taken and new room
    done,    // decoding: the coded stream has ended. Encoding: what the flush asked for is given
  };
  std::size_t taken = 0;
  std::size_t given = 0;
  Then then = Then::feed;
};

enum class Flush : std::uint8_t {
  none,
  sync,  // encoding: all bytes so far become decodable. Decoding: as none
  end,   // nothing follows this input
};

/// What shows the form of coded data stands within so many bytes.
inline constexpr std::size_t kFirst = 4;

class Coder {
 public:
  virtual ~Coder() = default;
  /// Starts anew. `live`: encoding will be flushed in between.
  virtual void start(bool live) = 0;
  /// At most 1 GiB of input a call; decoding, the first is of kFirst bytes or more, or all there
  /// is. An Error is final, and comes alone: what could be decoded before it was given by earlier
  /// calls.
  virtual Result<Progress> run(std::string_view in, std::span<char> out, Flush flush) = 0;
};

/// `level` is within levels(). None of the codings is http::Coding::other.
std::unique_ptr<Coder> make_coder(http::Coding coding, int level);
std::unique_ptr<Coder> make_decoder(http::Coding coding);

// One pair a file.
std::unique_ptr<Coder> make_zlib_coder(bool gzip, int level);
std::unique_ptr<Coder> make_zlib_decoder(bool gzip);
std::unique_ptr<Coder> make_brotli_coder(int level);
std::unique_ptr<Coder> make_brotli_decoder();
std::unique_ptr<Coder> make_zstd_coder(int level);
std::unique_ptr<Coder> make_zstd_decoder();

inline Error broken_coding(std::string_view coding, std::string_view why) {
  return {Errc::transform, "coding-broken",
          "the " + std::string(coding) + " data is broken: " + std::string(why)};
}
inline Error no_memory(std::string_view coding) {
  return {Errc::io, "memory", "no memory for " + std::string(coding)};
}

}  // namespace rehead::codec
