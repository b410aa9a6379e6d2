#pragma once

#include <atomic>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "bench/key_ring.hpp"
#include "bench/tally.hpp"
#include "bench/window.hpp"
#include "drivers/driver.hpp"

namespace dbdyno {

/// Closed loop over slots: every slot issues its next request when its last one completed and was checked.
///
/// All memory is taken at construction.
template <in_flight_driver Driver, class Workload>
class in_flight_loop {
 public:
  in_flight_loop(Driver& driver, Workload& workload, key_ring& keys, slot slots)
      : driver_(driver),
        workload_(workload),
        keys_(keys),
        keys_in_flight_(slots),
        free_(slots),
        free_end_(slots) {
    std::iota(free_.begin(), free_.end(), slot{0});
  }

  /// Runs until the limits say stop. With limits.requests everything issued has completed by then; otherwise
  /// up to `slots` requests are left in flight, not counted, for drain().
  void run(const window_limits& limits, tally& counts, std::atomic<std::uint64_t>& progress) {
    std::uint64_t issued = 0;
    bool failed = false;
    const auto on_done = [&](slot s, op_status status, std::string_view value) noexcept {
      const op_status checked = workload_.check(*keys_in_flight_[s], status, value);
      counts.count(checked);
      if (is_error(checked)) [[unlikely]]
        failed = true;
      free_[free_end_++] = s;
    };
    while (!failed && !limits.stop.load(std::memory_order_relaxed)) {
      issue(limits.requests, issued);
      if (free_end_ == free_.size() && issued == limits.requests) return;
      driver_.poll(limits.wait_until, on_done);
      progress.store(progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
  }

  /// Consumes and drops the replies to what run() left in flight. Returns false when some never came: after
  /// an interrupt.
  bool drain(time_point wait_until) {
    const auto on_done = [&](slot s, op_status, std::string_view) noexcept { free_[free_end_++] = s; };
    while (free_end_ != free_.size()) {
      if (driver_.poll(wait_until, on_done) == 0) return false;
    }
    return true;
  }

 private:
  void issue(std::uint64_t limit, std::uint64_t& issued) noexcept {
    // Slots are reissued in the order of their completion; a busy driver keeps the rest for later.
    std::size_t taken = 0;
    while (taken != free_end_ && issued != limit) {
      const slot s = free_[taken];
      const key& k = keys_.next();
      keys_in_flight_[s] = &k;
      if (workload_.submit(driver_, s, k) == submitted::busy) [[unlikely]]
        break;
      ++taken;
      ++issued;
    }
    std::copy(free_.begin() + static_cast<std::ptrdiff_t>(taken),
              free_.begin() + static_cast<std::ptrdiff_t>(free_end_), free_.begin());
    free_end_ -= taken;
  }

  Driver& driver_;
  Workload& workload_;
  key_ring& keys_;
  std::vector<const key*> keys_in_flight_;
  std::vector<slot> free_;
  std::size_t free_end_;
};

}  // namespace dbdyno
