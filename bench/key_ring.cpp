#include "bench/key_ring.hpp"

#include <algorithm>
#include <bit>

namespace dbdyno {

std::size_t key_ring::size_for(std::uint32_t keys, key_order order) noexcept {
  if (order != key_order::sequential) return usual_size;
  return std::clamp(std::bit_ceil(std::size_t{keys}), usual_size, largest_size);
}

key_ring::key_ring(const data_set& data, key_order order, std::uint64_t seed, unsigned thread) {
  const std::size_t size = size_for(data.keys(), order);
  keys_.reserve(size);
  for (const std::uint32_t id : draw_ids(order, data.keys(), size, seed, thread))
    keys_.push_back(data.make_key(id));
}

}  // namespace dbdyno
