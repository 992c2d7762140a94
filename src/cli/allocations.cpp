// Counts what operator new gives out, for --stats. Part of the program alone: tests count in their
// own way.
#include <atomic>
#include <cstdlib>
#include <new>

#include "cli/stats_text.h"

namespace {

std::atomic<std::uint64_t> count = 0;

void* allocate(std::size_t size) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size != 0 ? size : 1);
}

}  // namespace

std::uint64_t rehead::cli::allocations() { return count.load(std::memory_order_relaxed); }

void* operator new(std::size_t size) {
  if (void* bytes = allocate(size)) return bytes;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* bytes) noexcept { std::free(bytes); }
void operator delete(void* bytes, std::size_t) noexcept { std::free(bytes); }
