#include "bench/key_ring.hpp"

#include <algorithm>
#include <bit>

namespace dbdyno {
namespace {

std::size_t size_for(const data_set& data, key_order order) {
  if (order != key_order::sequential) return key_ring::usual_size;
  return std::clamp(std::bit_ceil(std::size_t{data.keys()}), key_ring::usual_size, key_ring::largest_size);
}

}  // namespace

key_ring::key_ring(const data_set& data, key_order order, std::uint64_t seed, unsigned thread) {
  const std::size_t size = size_for(data, order);
  keys_.reserve(size);
  for (const std::uint32_t id : draw_ids(order, data.keys(), size, seed, thread))
    keys_.push_back(data.make_key(id));
}

}  // namespace dbdyno
