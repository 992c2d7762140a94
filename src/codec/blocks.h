// Cuts a body into blocks of a fixed size, whatever pieces it comes in: a coder fed this way gives
// the same bytes, and meets a limit at the same place, however its input was cut.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/io.h"

namespace rehead::codec {

struct Block {
  enum class After : std::uint8_t { more, idle, end };
  std::string_view bytes;  // good until the next call
  After after = After::more;
};

class Blocks {
 public:
  /// `cut_at_idle`: what is there when the upstream has nothing for now is given out as it is;
  /// otherwise idle is told with an empty block, and the block goes on being filled.
  /// The first block is never cut below `least` bytes.
  void start(ByteSource& upstream, std::size_t size, bool cut_at_idle, std::size_t least = 0);
  /// A full block, or less before idle, the end, or an Error of the upstream (which comes next).
  Result<Block> next();

 private:
  ByteSource* upstream_ = nullptr;
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  bool cut_at_idle_ = false;
  std::size_t least_ = 0;  // 0 once the first block is given
  std::size_t goal_ = 0;   // of the current block: shorter after a cut, so that the next is aligned
  std::size_t filled_ = 0;  // of the current block, in bytes_
  std::string_view rest_;   // of the piece pulled last
  bool ended_ = false;
  std::optional<Error> failure_;
};

}  // namespace rehead::codec
