#include "bench/key_ring.hpp"

#include <random>

namespace dbdyno {

key_ring::key_ring(const data_set& data, std::uint64_t seed, unsigned thread) {
  // mt19937_64 and the reduction below give the same keys with every standard library;
  // uniform_int_distribution may not.
  std::seed_seq both{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32), thread};
  std::mt19937_64 random(both);
  keys_.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto id = static_cast<std::uint32_t>(((random() >> 32) * data.keys()) >> 32) + 1;
    keys_.push_back(data.make_key(id));
  }
}

}  // namespace dbdyno
