#pragma once

#include <cstdint>

namespace dbdyno::results {

/// Draws for resampling: the same from one seed with every compiler and library, which the standard library's
/// distributions are not.
/// Source: S. Vigna's splitmix64; the bound as D. Lemire, ACM TOMACS 29 (2019) 3, without rejection: its bias
/// is below n / 2^32.
class resampling {
 public:
  explicit resampling(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
  }

  /// Any of 0 to n - 1.
  std::uint32_t below(std::uint32_t n) noexcept {
    return static_cast<std::uint32_t>((next() >> 32) * n >> 32);
  }

  /// Between 0 and 1, and neither.
  double share() noexcept { return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52; }

 private:
  std::uint64_t state_;
};

}  // namespace dbdyno::results
