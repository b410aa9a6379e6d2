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

  /// Where the next key comes from: a loop keeps its own copy, in registers.
  class cursor {
   public:
    const key& next() noexcept {
      // In bytes, so that an addition and a mask are all that a key costs.
      offset_ = (offset_ + sizeof(key)) % (size * sizeof(key));
      return *reinterpret_cast<const key*>(reinterpret_cast<const char*>(keys_) + offset_);
    }

   private:
    friend class key_ring;
    explicit cursor(const key* keys) noexcept : keys_(keys) {}

    const key* keys_;
    std::size_t offset_ = (size - 1) * sizeof(key);
  };
  cursor begin() const noexcept { return cursor(keys_.data()); }

 private:
  std::vector<key> keys_;
};

}  // namespace dbdyno
