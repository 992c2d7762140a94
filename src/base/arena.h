// Memory that lives as long as one message: bump allocation, freed all at once by reset().
// The blocks are kept, so that once warm no message allocates.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rehead {

class Arena {
 public:
  /// `size` bytes, uninitialised, good until reset().
  std::span<char> allocate(std::size_t size);
  /// A copy of `text`, good until reset().
  std::string_view keep(std::string_view text);
  /// The pieces joined into one text, good until reset().
  std::string_view join(std::initializer_list<std::string_view> pieces);
  /// Forgets everything handed out; memory beyond kRetained is returned to the system.
  void reset();

 private:
  static constexpr std::size_t kBlock = std::size_t{16} << 10;
  static constexpr std::size_t kRetained = std::size_t{1} << 20;
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
  };
  std::vector<Block> blocks_;
  std::size_t current_ = 0;  // index of the block being filled
  std::size_t used_ = 0;     // bytes taken from it
};

}  // namespace rehead
