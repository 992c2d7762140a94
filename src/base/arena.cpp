#include "base/arena.h"

#include <algorithm>
#include <cstring>

namespace rehead {

std::span<char> Arena::allocate(std::size_t size) {
  while (current_ < blocks_.size() && blocks_[current_].size - used_ < size) {
    ++current_;
    used_ = 0;
  }
  if (current_ == blocks_.size()) {
    const std::size_t capacity = std::max(size, kBlock);
    blocks_.push_back({std::make_unique<char[]>(capacity), capacity});
  }
  char* start = blocks_[current_].bytes.get() + used_;
  used_ += size;
  return {start, size};
}

std::string_view Arena::keep(std::string_view text) { return join({text}); }

std::string_view Arena::join(std::initializer_list<std::string_view> pieces) {
  std::size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  const std::span<char> space = allocate(size);
  char* to = space.data();
  for (const std::string_view piece : pieces) {
    if (!piece.empty()) std::memcpy(to, piece.data(), piece.size());
    to += piece.size();
  }
  return {space.data(), size};
}

void Arena::reset() {
  std::size_t kept = 0;
  std::size_t bytes = 0;
  while (kept < blocks_.size() && bytes + blocks_[kept].size <= kRetained) {
    bytes += blocks_[kept++].size;
  }
  blocks_.resize(kept);
  current_ = 0;
  used_ = 0;
}

}  // namespace rehead
