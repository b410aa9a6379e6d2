#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "drivers/driver.hpp"
#include "drivers/wire/unique_fd.hpp"

namespace dbdyno {

/// The one thread beside the measuring ones: ends windows, takes SIGINT and SIGTERM, and breaks up calls that
/// block past the deadline, which their libraries cannot do themselves.
///
/// A second signal, or a driver that does not come back from being interrupted within 5 s of the first, ends
/// the process at once, without a result file.
///
/// Construct it before any other thread: it blocks the two signals for all of them.
/// Threads: every member may be called from any thread.
class watchdog {
 public:
  /// timeout: how long a watched loop may go without completing a request.
  explicit watchdog(std::chrono::milliseconds timeout);
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;
  ~watchdog();

  std::chrono::milliseconds timeout() const noexcept { return timeout_; }
  /// What loops look at; set at the end of a window and for good after a signal.
  const std::atomic<bool>& stop() const noexcept { return stop_; }
  /// The signal that ended the run, or 0.
  int signal() const noexcept { return signal_.load(std::memory_order_relaxed); }

  /// Clears stop() and sets it again after `length`; without a length, only a signal does.
  void start_window(std::optional<std::chrono::nanoseconds> length) noexcept;

  /// Watches one loop while it lives: a loop that makes no progress for `timeout`, or goes on after a signal,
  /// has its driver interrupted.
  class watch {
   public:
    template <driver D>
    watch(watchdog& owner, D& driver, const std::atomic<std::uint64_t>& progress)
        : watch(
              owner, &driver, [](void* object) noexcept { static_cast<D*>(object)->interrupt(); }, progress) {
    }
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;
    ~watch();

    /// Whether the driver was interrupted because the deadline had passed.
    bool timed_out() const noexcept { return timed_out_.load(std::memory_order_relaxed); }

   private:
    friend class watchdog;
    watch(watchdog& owner, void* driver, void (*interrupt)(void*) noexcept,
          const std::atomic<std::uint64_t>& progress);

    watchdog& owner_;
    void* driver_;
    void (*interrupt_)(void*) noexcept;
    const std::atomic<std::uint64_t>& progress_;
    std::uint64_t last_progress_;
    time_point last_change_;
    bool interrupted_ = false;
    std::atomic<bool> timed_out_{false};
  };

 private:
  void run() noexcept;
  void take_signal() noexcept;
  void check_watches(time_point now) noexcept;
  void wake() const noexcept;

  const std::chrono::milliseconds timeout_;
  sigset_t old_mask_{};
  unique_fd signals_;
  unique_fd wake_up_;
  std::atomic<bool> stop_{false};
  std::atomic<int> signal_{0};
  std::mutex mutex_;  // guards what follows
  std::optional<time_point> window_end_;
  std::optional<time_point> signalled_at_;
  std::vector<watch*> watches_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace dbdyno
