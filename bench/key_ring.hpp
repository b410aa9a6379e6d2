#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/key_order.hpp"
#include "fixtures/data_set.hpp"

namespace dbdyno {

/// Keys drawn from a data set before timing, handed out again and again in the same order.
///
/// Threads: one ring a thread; (seed, thread) decide what it draws.
/// Lifetime: the keys handed out live as long as the ring.
class key_ring {
 public:
  /// 65,536 draws of 32 bytes fit a level-2 cache.
  static constexpr std::size_t usual_size = 65'536;
  /// A sequential ring holds every key once or more, up to so many.
  static constexpr std::size_t largest_size = 4'194'304;

  /// Units: keys.
  static std::size_t size_for(std::uint32_t keys, key_order order) noexcept;

  key_ring(const data_set& data, key_order order, std::uint64_t seed, unsigned thread);

  /// Units: keys; a power of two.
  std::size_t size() const noexcept { return keys_.size(); }

  /// Where the next key comes from: a loop keeps its own copy, in registers.
  class cursor {
   public:
    const key& next() noexcept {
      // In bytes, so that an addition and a mask are all that a key costs.
      offset_ = (offset_ + sizeof(key)) & mask_;
      return *reinterpret_cast<const key*>(reinterpret_cast<const char*>(keys_) + offset_);
    }

   private:
    friend class key_ring;
    explicit cursor(const std::vector<key>& keys) noexcept
        : keys_(keys.data()), mask_((keys.size() - 1) * sizeof(key)), offset_(mask_) {}

    const key* keys_;
    std::size_t mask_;
    std::size_t offset_;
  };
  cursor begin() const noexcept { return cursor(keys_); }

 private:
  std::vector<key> keys_;
};

}  // namespace dbdyno
