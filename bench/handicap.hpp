#pragma once

#include <chrono>
#include <cstdint>
#include <type_traits>

#include "bench/tick_clock.hpp"

namespace dbdyno {

/// By how many percent this build slows its loops down, so that it can be tried whether dbdyno-compare finds
/// that. 0 in every build but the preset `handicapped`, and then nothing below is compiled into the program.
#ifdef DBDYNO_TEST_HANDICAP
inline constexpr unsigned handicap_percent = DBDYNO_TEST_HANDICAP;
#else
inline constexpr unsigned handicap_percent = 0;
#endif

/// A clock that takes its time: now() waits, busily, for `Percent` of the time since it last did so. A loop
/// that reads it once a request, and so pays for no reading more, takes so much longer for every one.
///
/// It waits no more often than once in a slice, since a reading would be long beside the share of a short
/// request. So what takes longer than a slice is slowed down request by request, and of what is shorter one
/// in several.
/// Lifetime: a copy counts from when it was made, as a loop makes one when it starts. Threads: one a thread.
template <class Clock, unsigned Percent>
class handicapped_clock {
 public:
  using ticks = typename Clock::ticks;
  static constexpr std::chrono::nanoseconds slice = std::chrono::microseconds(20);

  handicapped_clock(const Clock& real) noexcept  // NOLINT(google-explicit-constructor): stands in for it
      : real_(real), slice_(real.ticks_in(slice)), since_(real.now()) {}
  handicapped_clock(const handicapped_clock& other) noexcept : handicapped_clock(other.real_) {}
  handicapped_clock& operator=(const handicapped_clock&) = delete;
  ~handicapped_clock() = default;

  ticks now() const noexcept {
    const ticks now = real_.now();
    return now - since_ < slice_ ? now : wait(now);
  }
  std::uint64_t nanoseconds(ticks difference) const noexcept { return real_.nanoseconds(difference); }
  time_point steady_time(ticks at, ticks now) const noexcept { return real_.steady_time(at, now); }
  void sleep_until(ticks at) const noexcept {
    real_.sleep_until(at);
    since_ = real_.now();
  }

 private:
  [[gnu::noinline]] ticks wait(ticks now) const noexcept {
    const ticks until = now + (now - since_) * Percent / 100;
    while (now < until) now = real_.now();
    return since_ = now;
  }

  Clock real_;
  ticks slice_;
  mutable ticks since_;
};

/// The clock of a loop under such a load. A schedule is kept whatever a request takes.
template <class Load>
using loop_clock = std::conditional_t<handicap_percent != 0 && !Load::scheduled,
                                      handicapped_clock<tick_clock, handicap_percent>, tick_clock>;

}  // namespace dbdyno
