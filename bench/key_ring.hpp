#pragma once

#include <cstdint>
#include <vector>

#include "fixtures/data_set.hpp"

namespace dbdyno {

/// Keys drawn uniformly from a data set before timing, handed out again and again in the same order.
///
/// Threads: one ring a thread; (seed, thread) decide what it draws.
/// Lifetime: the keys handed out live as long as the ring.
class key_ring {
 public:
  /// A power of two; 65,536 draws of 32 bytes fit a level-2 cache.
  static constexpr std::size_t size = 65536;

  key_ring(const data_set& data, std::uint64_t seed, unsigned thread);

  const key& next() noexcept { return keys_[position_++ % size]; }

 private:
  std::vector<key> keys_;
  std::size_t position_ = 0;
};

}  // namespace dbdyno
