#pragma once

#include <cstdint>
#include <optional>

namespace dbdyno {

/// Heap allocations: malloc, calloc, realloc, the aligned ones, and operator new, which calls them. Units:
/// bytes are those asked for.
struct allocations {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

/// Counts the calling thread's allocations from construction to stop(). None are counted where this program
/// was linked without the counter or is built with a sanitizer, which brings an allocator of its own.
///
/// Linking the object library dbdyno_interposed_malloc puts it in front of the C library's functions for the
/// whole process, so also for what client libraries allocate; while no counter lives that costs a test of a
/// thread-local flag a call.
/// Threads: at most one counter a thread at a time.
class allocation_counter {
 public:
  allocation_counter() noexcept;
  allocation_counter(const allocation_counter&) = delete;
  allocation_counter& operator=(const allocation_counter&) = delete;
  ~allocation_counter();

  /// Ends counting. Absent where nothing can be counted.
  std::optional<allocations> stop() noexcept;
};

/// Where the interposed functions count. Not for anybody else.
namespace detail {
struct allocation_state {
  bool counting = false;
  allocations seen{};
};
extern constinit thread_local allocation_state allocations_here;
extern constinit bool allocations_are_interposed;
}  // namespace detail

}  // namespace dbdyno
