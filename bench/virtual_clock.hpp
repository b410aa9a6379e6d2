#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "drivers/driver.hpp"

namespace dbdyno {

/// A clock that only moves when told to, for tests with exact answers: stands in for tick_clock. A tick is a
/// nanosecond, and the time of steady_clock.
///
/// Lifetime: copies share the time they were made from.
class virtual_clock {
 public:
  using ticks = std::uint64_t;

  explicit virtual_clock(ticks& time) noexcept : time_(&time) {}

  ticks now() const noexcept { return *time_; }
  std::uint64_t nanoseconds(ticks difference) const noexcept { return difference; }
  time_point steady_time(ticks at, ticks) const noexcept {
    return time_point(std::chrono::nanoseconds(static_cast<std::int64_t>(at)));
  }
  void sleep_until(ticks at) const noexcept { *time_ = std::max(*time_, at); }

 private:
  ticks* time_;
};

}  // namespace dbdyno
