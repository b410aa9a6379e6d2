#pragma once

/// What makes a loop issue its next request. A load says of itself, at compile time:
/// - scheduled: whether requests are due at times of their own, whatever became of those before;
/// - queues: whether a request may have to wait before the driver is handed it. Then it has over(), no
/// request
///   is left; due(), when the next one was or is due; take(now), the driver is handed that one. Latency
///   counts from when a request was due, service time from when the driver was handed it.

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "bench/tick_clock.hpp"

namespace dbdyno {

/// Closed loop: a slot issues its next request as soon as its last one is dealt with.
struct closed_load {
  static constexpr bool scheduled = false;
  static constexpr bool queues = false;
};

enum class arrivals : std::uint8_t { constant, poisson };

/// Open loop: requests are due when a schedule says, whatever became of those before.
///
/// The schedule is computed as it is used up, so a backlog of any length takes no memory.
/// Units: ticks. Threads: one a thread.
class open_load {
 public:
  static constexpr bool scheduled = true;
  static constexpr bool queues = true;
  using ticks = tick_clock::ticks;
  static constexpr ticks endless = std::numeric_limits<ticks>::max();

  /// interval: mean distance of two requests; offset: of the first one from the begin, in intervals (constant
  /// arrivals only: the threads of a row take turns).
  open_load(arrivals kind, double interval, double offset, ticks begin, ticks end, ticks tolerance,
            std::uint64_t seed)
      : kind_(kind), interval_(interval), end_(end), tolerance_(tolerance), begin_(begin), random_(seed) {
    at_ = first_ = kind == arrivals::constant ? offset * interval : gap();
    due_ = begin_ + static_cast<ticks>(at_);
  }

  /// When the next request is due; not before end() once the schedule is over.
  ticks due() const noexcept { return due_; }
  ticks end() const noexcept { return end_; }
  bool over() const noexcept { return due_ >= end_; }

  /// Takes the next request off the schedule, handed to the driver at `now`.
  void take(ticks now) noexcept {
    lag_ = now - due_;
    if (lag_ > tolerance_) ++late_;
    advance();
  }

  /// Requests issued more than the tolerance after they were due.
  std::uint64_t late() const noexcept { return late_; }
  /// How long after it was due the latest request was issued.
  ticks lag() const noexcept { return lag_; }
  /// Takes what is left off the schedule: the requests that were due but never issued.
  std::uint64_t count_rest() noexcept {
    if (over()) return 0;
    const auto length = static_cast<double>(end_ - begin_);
    if (kind_ == arrivals::constant) {
      const auto all = static_cast<std::uint64_t>(std::ceil((length - first_) / interval_));
      const std::uint64_t rest = all - taken_;
      due_ = end_;
      return rest;
    }
    const double expected = (length - at_) / interval_;
    if (expected > most_drawn) {
      due_ = end_;
      return static_cast<std::uint64_t>(expected);
    }
    std::uint64_t rest = 0;
    for (; !over(); advance()) ++rest;
    return rest;
  }

 private:
  /// Beyond so many arrivals their expected number is as good as drawing them, and takes no time.
  static constexpr double most_drawn = 1e6;

  double gap() { return interval_ * std::exponential_distribution<double>(1)(random_); }
  void advance() noexcept {
    if (kind_ == arrivals::constant) {
      // Multiplied, not added up: rounding errors must not become a drift.
      at_ = first_ + interval_ * static_cast<double>(++taken_);
    } else {
      at_ += gap();
    }
    due_ = begin_ + static_cast<ticks>(at_);
  }

  arrivals kind_;
  double interval_;
  ticks end_;
  ticks tolerance_;
  ticks begin_;
  double at_ = 0;  ///< since begin_
  double first_ = 0;
  std::uint64_t taken_ = 0;
  ticks due_ = 0;
  std::uint64_t late_ = 0;
  ticks lag_ = 0;
  std::mt19937_64 random_;
};

}  // namespace dbdyno
