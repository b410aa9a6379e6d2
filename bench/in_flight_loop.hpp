#pragma once

#include <algorithm>
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
  /// progress: published once a poll for the watchdog.
  in_flight_loop(Driver& driver, Workload& workload, key_ring::cursor keys,
                 std::atomic<std::uint64_t>& progress, std::size_t slots)
      : driver_(driver),
        workload_(workload),
        keys_(keys),
        progress_(progress),
        tags_in_flight_(slots),
        free_(slots),
        free_count_(slots) {
    std::iota(free_.begin(), free_.end(), slot{0});
  }

  /// Runs until the limits say stop, or an error was counted. With limits.requests everything issued has
  /// completed by then; otherwise up to `slots` requests are left in flight, not counted, for drain().
  void run(const window_limits& limits, tally& counts) {
    // Copies: what the driver writes could be the members, for all the compiler knows.
    Driver& driver = driver_;
    Workload& workload = workload_;
    std::atomic<std::uint64_t>& progress = progress_;
    key_ring::cursor keys = keys_;
    const std::size_t slots = free_.size();
    slot* const free = free_.data();
    std::uint64_t* const tags = tags_in_flight_.data();
    completions done{&workload, &counts, tags, free + free_count_};
    std::uint64_t to_issue = limits.requests;
    std::uint64_t completed = 0;

    while (!done.failed && !limits.stop.load(std::memory_order_relaxed)) {
      // Slots are reissued in the order of their completion; what a busy driver does not take stays free.
      const auto free_count = static_cast<std::size_t>(done.free_end - free);
      const std::size_t wanted = std::min<std::uint64_t>(free_count, to_issue);
      std::size_t taken = 0;
      for (; taken != wanted; ++taken) {
        const slot s = free[taken];
        const key& k = keys.next();
        tags[s] = k.tag();
        if (workload.submit(driver, s, k) == submitted::busy) [[unlikely]]
          break;
      }
      to_issue -= taken;
      if (taken == free_count) [[likely]] {
        done.free_end = free;
      } else {
        done.free_end = std::copy(free + taken, free + free_count, free);
        if (to_issue == 0 && free_count - taken == slots) break;
      }
      completed += driver.poll(limits.wait_until, done);
      progress.store(completed, std::memory_order_relaxed);
    }
    counts.count(op_status::ok, completed - done.fruitless);
    free_count_ = static_cast<std::size_t>(done.free_end - free);
    keys_ = keys;
  }

  /// Consumes the replies to what run() left in flight. They are outside the window, so none of them counts
  /// as an operation or a miss; errors among them are counted in `counts`, those that never came as timeout.
  void drain(time_point wait_until, tally& counts) {
    std::uint64_t drained = progress_.load(std::memory_order_relaxed);
    const auto on_done = [&](slot s, op_status status, std::string_view value) noexcept {
      const op_status checked = workload_.check(tags_in_flight_[s], status, value);
      if (is_error(checked)) counts.count(checked);
      free_[free_count_++] = s;
    };
    while (free_count_ != free_.size()) {
      const unsigned done = driver_.poll(wait_until, on_done);
      if (done == 0) {
        counts.count(op_status::timeout, free_.size() - free_count_);
        return;
      }
      progress_.store(drained += done, std::memory_order_relaxed);
    }
  }

 private:
  /// Takes completions while a window runs. A struct and no lambda: where poll is not inlined, a lambda would
  /// reach every one of these through a reference of its own.
  struct completions {
    Workload* workload;
    tally* counts;
    const std::uint64_t* tags;  ///< of the keys in flight, by slot
    slot* free_end;
    std::uint64_t fruitless = 0;
    bool failed = false;

    void operator()(slot s, op_status status, std::string_view value) noexcept {
      const op_status checked = workload->check(tags[s], status, value);
      *free_end++ = s;
      if (checked != op_status::ok) [[unlikely]] {
        ++fruitless;
        counts->count(checked);
        if (is_error(checked)) failed = true;
      }
    }
  };

  Driver& driver_;
  Workload& workload_;
  key_ring::cursor keys_;
  std::atomic<std::uint64_t>& progress_;
  std::vector<std::uint64_t> tags_in_flight_;
  std::vector<slot> free_;
  std::size_t free_count_;
};

}  // namespace dbdyno
