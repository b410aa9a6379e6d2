#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "drivers/driver.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace dbdyno {
namespace detail {

__extension__ using wide = unsigned __int128;

inline std::uint64_t read_cpu_counter() noexcept {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return 0;
#endif
}

}  // namespace detail

/// The monotonic clock that latencies are read from: the CPU's time-stamp counter where it is invariant and
/// the kernel keeps time by it too, std::chrono::steady_clock elsewhere.
///
/// A reading orders nothing: the CPU may take it some tens of nanoseconds early or late.
/// Units: ticks. They mean something only as differences, and those through nanoseconds().
/// Threads: immutable; the counters of all CPUs agree where the counter is used.
/// Source: Intel SDM vol. 3B, 18.17.1 "Invariant TSC"; CPUID 80000007h, EDX bit 8.
class tick_clock {
 public:
  using ticks = std::uint64_t;

  /// steady_clock itself: a tick is a nanosecond.
  tick_clock() noexcept = default;
  /// The best clock here, calibrated against steady_clock in about 50 ms.
  static tick_clock calibrated();

  ticks now() const noexcept {
    if (counter_) [[likely]]
      return detail::read_cpu_counter();
    return static_cast<ticks>(std::chrono::steady_clock::now().time_since_epoch().count());
  }

  std::uint64_t nanoseconds(ticks difference) const noexcept {
    return static_cast<std::uint64_t>(static_cast<detail::wide>(difference) * scale_ >> 32);
  }
  ticks ticks_in(std::chrono::nanoseconds length) const noexcept {
    return static_cast<ticks>((static_cast<detail::wide>(length.count()) << 32) / scale_);
  }
  /// Where on steady_clock a reading lies: exact near to `now`, a reading of this moment.
  time_point steady_time(ticks at, ticks now) const noexcept {
    const auto steady_now = std::chrono::steady_clock::now();
    return at >= now ? steady_now + std::chrono::nanoseconds(nanoseconds(at - now))
                     : steady_now - std::chrono::nanoseconds(nanoseconds(now - at));
  }
  /// Sleeps until now() has reached `at`.
  void sleep_until(ticks at) const noexcept;

  bool counts_cycles() const noexcept { return counter_; }
  std::string_view source() const noexcept { return counter_ ? "tsc" : "steady_clock"; }
  double ticks_per_second() const noexcept { return 1e9 * 4294967296.0 / static_cast<double>(scale_); }

 private:
  bool counter_ = false;
  std::uint64_t scale_ = std::uint64_t{1} << 32;  ///< nanoseconds in a tick, times 2^32
};

/// What the harness's own measuring costs. Units: nanoseconds.
struct clock_costs {
  double read = 0;    ///< one reading of the clock
  double record = 0;  ///< one latency into a histogram
};
clock_costs measure_costs(const tick_clock& clock);

}  // namespace dbdyno
