// Stands in front of glibc's allocator, to count what a measuring thread takes from it while an
// allocation_counter lives. free() is left alone: what it gives back is not asked for. Source: glibc manual,
// "Replacing malloc"; the __libc_ entry points are glibc 2.36's own.
#include <cerrno>
#include <cstddef>

#include "bench/allocation_counter.hpp"

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

namespace {

using dbdyno::detail::allocations_here;

/// Out of the way of those who only pass.
[[gnu::noinline, gnu::cold]] void add(std::size_t bytes) noexcept {
  ++allocations_here.seen.count;
  allocations_here.seen.bytes += bytes;
}

[[gnu::always_inline]] inline void count(std::size_t bytes, std::size_t number = 1) noexcept {
  if (allocations_here.counting) [[unlikely]]
    add(number * bytes);
}

[[maybe_unused]] const bool interposed = dbdyno::detail::allocations_are_interposed = true;

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  count(size);
  return __libc_malloc(size);
}

void* calloc(std::size_t number, std::size_t size) {
  count(size, number);
  return __libc_calloc(number, size);
}

void* realloc(void* block, std::size_t size) {
  count(size);
  return __libc_realloc(block, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  count(size);
  void* const block = __libc_memalign(alignment, size);
  if (block == nullptr) return ENOMEM;
  *out = block;
  return 0;
}
}
