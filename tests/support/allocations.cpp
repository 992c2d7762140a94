#include "support/allocations.h"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<std::uint64_t> taken{0};
}

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !HAS_FEATURE(address_sanitizer) && !HAS_FEATURE(memory_sanitizer)
// Stand before those of the C library, for the shared libraries too.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* malloc(std::size_t size) {
  ++taken;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++taken;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  ++taken;
  return __libc_realloc(old, size);
}
}
#endif

namespace rehead::test {

std::uint64_t allocations() { return taken; }

}  // namespace rehead::test
