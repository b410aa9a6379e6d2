#pragma once

#include <atomic>
#include <cstdint>

#include "bench/key_ring.hpp"
#include "bench/tally.hpp"
#include "bench/window.hpp"
#include "drivers/driver.hpp"

namespace dbdyno {

/// One request at a time: issues the next one when the reply to the last was consumed and checked.
///
/// progress: published after every request for the watchdog.
template <sync_driver Driver, class Workload>
class sync_loop {
 public:
  sync_loop(Driver& driver, Workload& workload, key_ring::cursor keys, std::atomic<std::uint64_t>& progress)
      : driver_(driver), workload_(workload), keys_(keys), progress_(progress) {}

  /// Runs until the limits say stop.
  void run(const window_limits& limits, tally& counts) {
    // Copies: what the driver writes could be these, for all the compiler knows.
    Driver& driver = driver_;
    Workload& workload = workload_;
    std::atomic<std::uint64_t>& progress = progress_;
    key_ring::cursor keys = keys_;
    const std::uint64_t requests = limits.requests;
    std::uint64_t operations = 0;
    for (std::uint64_t issued = 0; issued != requests && !limits.stop.load(std::memory_order_relaxed);) {
      const op_status status = workload.run(driver, keys.next());
      progress.store(++issued, std::memory_order_relaxed);
      if (status == op_status::ok) [[likely]] {
        ++operations;
      } else {
        counts.count(status);
        if (is_error(status)) break;
      }
    }
    counts.count(op_status::ok, operations);
    keys_ = keys;
  }

  /// Nothing is left in flight.
  void drain(time_point, tally&) noexcept {}

 private:
  Driver& driver_;
  Workload& workload_;
  key_ring::cursor keys_;
  std::atomic<std::uint64_t>& progress_;
};

}  // namespace dbdyno
