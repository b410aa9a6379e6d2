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
void run_sync_loop(Driver& driver, Workload& workload, key_ring& keys, const window_limits& limits,
                   tally& counts, std::atomic<std::uint64_t>& progress) {
  for (std::uint64_t issued = 0; issued != limits.requests && !limits.stop.load(std::memory_order_relaxed);) {
    const op_status status = workload.run(driver, keys.next());
    counts.count(status);
    progress.store(++issued, std::memory_order_relaxed);
    if (is_error(status)) [[unlikely]]
      return;
  }
}

}  // namespace dbdyno
