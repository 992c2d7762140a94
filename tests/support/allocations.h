// How often memory was taken from the heap, libraries included.
#pragma once

#include <cstdint>

namespace rehead::test {

/// Allocations so far; always 0 under a sanitizer, which has its own heap.
std::uint64_t allocations();

}  // namespace rehead::test
