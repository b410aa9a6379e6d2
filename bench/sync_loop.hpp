#pragma once

#include <atomic>
#include <cstdint>

#include "bench/key_ring.hpp"
#include "bench/latencies.hpp"
#include "bench/load.hpp"
#include "bench/lost_connections.hpp"
#include "bench/tally.hpp"
#include "bench/watchdog.hpp"
#include "bench/window.hpp"
#include "drivers/driver.hpp"

namespace dbdyno {

/// One request at a time: issues the next one when the reply to the last was consumed and checked, and in an
/// open loop not before it is due.
///
/// In a closed loop one reading of the clock ends a request and starts the next.
/// progress: published after every request for the watchdog.
template <sync_driver Driver, class Workload, class Load = closed_load, class Clock = tick_clock>
class sync_loop {
 public:
  using ticks = tick_clock::ticks;

  sync_loop(Driver& driver, Workload& workload, const Clock& clock, key_ring::cursor keys,
            std::atomic<std::uint64_t>& progress, lost_connections& lost)
      : driver_(driver), workload_(workload), clock_(clock), keys_(keys), progress_(progress), lost_(lost) {}

  /// Runs until the limits say stop.
  loop_end run(const window_limits& limits, tally& counts, latencies& times, Load& load) {
    // Copies: what the driver writes could be these, for all the compiler knows.
    Driver& driver = driver_;
    Workload& workload = workload_;
    const Clock clock = clock_;
    std::atomic<std::uint64_t>& progress = progress_;
    key_ring::cursor keys = keys_;
    const std::uint64_t requests =
        limits.requests == window_limits::unlimited ? limits.requests : limits.requests - counts.issued();
    const std::uint64_t issued_before = progress.load(std::memory_order_relaxed) & ~watchdog::idle;
    std::uint64_t issued = 0;
    std::uint64_t operations = 0;
    loop_end end = loop_end::finished;
    ticks start = clock.now();
    progress.store(issued_before, std::memory_order_relaxed);
    while (issued != requests && !limits.stop.load(std::memory_order_relaxed)) {
      ticks due = start;
      if constexpr (Load::queues) {
        if (load.over()) break;
        due = load.due();
        if (due > start) {
          progress.store((issued_before + issued) | watchdog::idle, std::memory_order_relaxed);
          start = sleep_until_due(clock, start, due, limits);
          progress.store(issued_before + issued, std::memory_order_relaxed);
          if (start < due) continue;
        }
        load.take(start);
      }
      const op_status status = workload.run(driver, keys.next());
      const ticks now = clock.now();
      progress.store(issued_before + ++issued, std::memory_order_relaxed);
      if (status == op_status::ok) [[likely]] {
        ++operations;
        if constexpr (Load::queues) times.service.record(clock.nanoseconds(now - start));
        times.ok.record(clock.nanoseconds(now - due));
      } else {
        end = settle(status, now, now - start >= limits.timeout, now - due, limits, counts, times);
        if (end != loop_end::finished) break;
      }
      start = now;
    }
    counts.issue(issued);
    counts.count(op_status::ok, operations);
    keys_ = keys;
    return end;
  }

  /// Nothing is left in flight.
  static ticks age_of_in_flight(ticks) noexcept { return 0; }
  void drain(const window_limits&, tally&, latencies&, Load&) noexcept {}

 private:
  /// Not longer than until the stop flag should be looked at again.
  static ticks sleep_until_due(const Clock& clock, ticks now, ticks due, const window_limits& limits) {
    clock.sleep_until(due - now > limits.look_interval ? now + limits.look_interval : due);
    return clock.now();
  }

  [[gnu::noinline, gnu::cold]] loop_end settle(op_status said, ticks now, bool is_late, ticks took,
                                               const window_limits& limits, tally& counts,
                                               latencies& times) noexcept {
    const op_status status = classify(said, workload_.wrote(), is_late);
    counts.count(status);
    if (status == op_status::refused) counts.refuse(driver_.last_error());
    if (!is_error(status)) {
      times.missed.record(clock_.nanoseconds(took));
      return loop_end::finished;
    }
    times.failed.record(clock_.nanoseconds(took));
    if (ends_connection(status)) lost_.lose(0, now);
    if (!limits.budget.spend()) return loop_end::failed;
    return lost_.any() ? loop_end::disconnected : loop_end::finished;
  }

  Driver& driver_;
  Workload& workload_;
  Clock clock_;
  key_ring::cursor keys_;
  std::atomic<std::uint64_t>& progress_;
  lost_connections& lost_;
};

}  // namespace dbdyno
