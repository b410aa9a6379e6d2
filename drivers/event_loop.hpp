#pragma once

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
  /// Errors: setup_error naming `driver` when libevent cannot be set up.
  explicit event_loop(std::string_view driver);
  event_loop(event_loop&&) = delete;
  ~event_loop() = default;

  /// For registering a library's own events; lives as long as this object.
  event_base* base() noexcept { return base_.get(); }

  /// Runs the callbacks of what is ready, waiting for the first until `wait_until` or wake().
  /// Costs no clock reading of ours; the timer is armed anew only when wait_until differs from the last
  /// call's.
  void run_once(time_point wait_until) noexcept;

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
};

}  // namespace dbdyno
