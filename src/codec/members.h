// Decodes all members of a coded body: several gzip members or zstd frames, one behind the other,
// are one content (RFC 1952 2.2, RFC 8878 3). Zero bytes behind a member are padding; what else
// stands behind the last one is no part of the content and only counted.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "codec/coder.h"

namespace rehead::codec {

class Members {
 public:
  void start(http::Coding coding);
  /// As Coder::run, but never `done`: takes all input there is.
  Result<Progress> run(std::string_view in, std::span<char> out, Flush flush);
  /// True if the input may end here: behind a member, or before the first byte.
  bool complete() const { return between_ || !begun_; }
  /// Bytes behind the last member, once the input has ended.
  std::uint64_t junk() const { return junk_ + start_.size(); }

 private:
  std::size_t look_behind(std::string_view in);

  std::array<std::unique_ptr<Coder>, 4> coders_;  // by http::Coding, made when first needed
  Coder* coder_ = nullptr;
  http::Coding coding_ = http::Coding::other;
  bool begun_ = false;    // there was input
  bool between_ = false;  // behind a member
  std::string start_;     // what may be the start of a further member; at most four bytes
  std::uint64_t junk_ = 0;
};

}  // namespace rehead::codec
