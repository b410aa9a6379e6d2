#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "drivers/driver.hpp"
#include "drivers/wire/unique_fd.hpp"

struct event;
struct event_base;

namespace dbdyno {

/// The libevent loop under every async driver: one event base, one wake-up, one timer.
///
/// Threads: wake() from any thread; everything else from the owner's.
class event_loop {
 public:
  /// spins: run_once never sleeps, see spins_on(). Errors: setup_error naming `driver` when libevent cannot
  /// be set up.
  explicit event_loop(std::string_view driver, bool spins = false);
  event_loop(event_loop&&) = delete;
  ~event_loop() = default;

  /// For registering a library's own events; lives as long as this object.
  event_base* base() noexcept { return base_.get(); }

  /// Runs the callbacks of what is ready, waiting for the first until `wait_until` or wake().
  /// Costs no clock reading of ours; the timer is armed anew only when wait_until differs from the last
  /// call's.
  void run_once(time_point wait_until) noexcept;

  /// Whether a run_once that called nothing back is to be repeated, since the loop spins and neither
  /// wait_until nor a wake() has come. Reads the clock if it spins.
  bool spins_on(time_point wait_until) const noexcept {
    return spins_ && !woken_.load(std::memory_order_relaxed) && std::chrono::steady_clock::now() < wait_until;
  }

  /// Makes the running or next run_once return, and every later one return without waiting.
  void wake() noexcept;

 private:
  struct base_deleter {
    void operator()(event_base* base) const noexcept;
  };
  struct event_deleter {
    void operator()(event* e) const noexcept;
  };

  unique_fd timer_fd_;
  unique_fd wake_fd_;
  // Destroyed from the last to the first: events before their base, both before the descriptors they watch.
  std::unique_ptr<event_base, base_deleter> base_;
  std::unique_ptr<event, event_deleter> timer_;
  std::unique_ptr<event, event_deleter> wake_up_;
  std::optional<time_point> armed_;  ///< what the timer was set to last
  const bool spins_;
  std::atomic<bool> woken_{false};
};

}  // namespace dbdyno
