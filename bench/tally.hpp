#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "drivers/op_status.hpp"

namespace dbdyno {

/// How many requests ended how. Units: requests.
class tally {
 public:
  void count(op_status status, std::uint64_t requests = 1) noexcept {
    counts_[static_cast<std::size_t>(status)] += requests;
  }

  std::uint64_t of(op_status status) const noexcept { return counts_[static_cast<std::size_t>(status)]; }
  std::uint64_t operations() const noexcept { return of(op_status::ok); }
  std::uint64_t misses() const noexcept { return of(op_status::not_found); }
  std::uint64_t errors() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts_) sum += count;
    return sum - operations() - misses();
  }

  /// A request that the driver called disconnected was in truth given up after its deadline.
  void blame_timeout() noexcept {
    std::uint64_t& disconnected = counts_[static_cast<std::size_t>(op_status::disconnected)];
    counts_[static_cast<std::size_t>(op_status::timeout)] += disconnected;
    disconnected = 0;
  }

  /// The errors alone: what a warm-up leaves behind.
  tally only_errors() const noexcept {
    tally out = *this;
    out.counts_[static_cast<std::size_t>(op_status::ok)] = 0;
    out.counts_[static_cast<std::size_t>(op_status::not_found)] = 0;
    return out;
  }

  tally& operator+=(const tally& other) noexcept {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    return *this;
  }

 private:
  std::array<std::uint64_t, op_status_count> counts_{};
};

/// Neither work nor a miss.
constexpr bool is_error(op_status status) noexcept {
  return status != op_status::ok && status != op_status::not_found;
}

}  // namespace dbdyno
