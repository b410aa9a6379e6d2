#include "bench/allocation_counter.hpp"

namespace dbdyno {
namespace detail {

constinit thread_local allocation_state allocations_here;
constinit bool allocations_are_interposed = false;

}  // namespace detail

allocation_counter::allocation_counter() noexcept {
  detail::allocations_here = {.counting = true};
}

allocation_counter::~allocation_counter() {
  detail::allocations_here.counting = false;
}

std::optional<allocations> allocation_counter::stop() noexcept {
  detail::allocations_here.counting = false;
  if (!detail::allocations_are_interposed) return std::nullopt;
  return detail::allocations_here.seen;
}

}  // namespace dbdyno
