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
void run_sync_loop(Driver& driver, Workload& workload, key_ring::cursor& keys, const window_limits& limits,
                   tally& counts, std::atomic<std::uint64_t>& progress) {
  // Copies: what the driver writes could be these, for all the compiler knows.
  key_ring::cursor next_key = keys;
  const std::uint64_t requests = limits.requests;
  std::uint64_t operations = 0;
  for (std::uint64_t issued = 0; issued != requests && !limits.stop.load(std::memory_order_relaxed);) {
    const op_status status = workload.run(driver, next_key.next());
    progress.store(++issued, std::memory_order_relaxed);
    if (status == op_status::ok) [[likely]] {
      ++operations;
    } else {
      counts.count(status);
      if (is_error(status)) break;
    }
  }
  counts.count(op_status::ok, operations);
  keys = next_key;
}

}  // namespace dbdyno
