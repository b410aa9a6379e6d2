#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "drivers/driver.hpp"

namespace dbdyno {

/// Ends windows, takes SIGINT and SIGTERM, and breaks up calls that block past the deadline, which their
/// libraries cannot do themselves.
///
/// It works in the handlers of those two signals and of a timer's, SIGRTMIN: the measuring thread itself is
/// interrupted, and what it waits in goes on afterwards. A thread for it would make every process one of
/// several threads, in which glibc's allocator and system calls take a longer way.
///
/// A second signal, or a driver that does not come back from being interrupted within 5 s of the first, ends
/// the process at once, without a result file.
///
/// Threads: every member may be called from any thread, but by no signal handler.
class watchdog {
 public:
  /// timeout: of each request.
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

  /// What a loop adds to the progress it publishes while it waits for nothing but its schedule, and whoever
  /// runs it before it begins: a request's deadline counts from when it was issued.
  static constexpr std::uint64_t idle = std::uint64_t{1} << 63;

  /// Keeps the watchdog's signals from the thread that holds it, and from the threads that it starts
  /// meanwhile for good: the others take them.
  class undisturbed {
   public:
    undisturbed() noexcept;
    undisturbed(const undisturbed&) = delete;
    undisturbed& operator=(const undisturbed&) = delete;
    ~undisturbed();

   private:
    sigset_t before_{};
  };

  /// Watches one loop while it lives: a loop that makes no progress for `patience`, or goes on after a
  /// signal, has its driver interrupted, by a signal handler on any thread.
  class watch {
   public:
    template <class D>
    requires requires(D& d) {
      { d.interrupt() }
      noexcept;
    }
    watch(watchdog& owner, D& driver, const std::atomic<std::uint64_t>& progress,
          std::chrono::nanoseconds patience)
        : watch(
              owner, &driver, [](void* object) noexcept { static_cast<D*>(object)->interrupt(); }, progress,
              patience) {}
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;
    ~watch();

    /// Whether the driver was interrupted because the loop had made no progress.
    bool timed_out() const noexcept { return timed_out_.load(std::memory_order_relaxed); }

   private:
    friend class watchdog;
    watch(watchdog& owner, void* driver, void (*interrupt)(void*) noexcept,
          const std::atomic<std::uint64_t>& progress, std::chrono::nanoseconds patience);

    watchdog& owner_;
    void* driver_;
    void (*interrupt_)(void*) noexcept;
    const std::atomic<std::uint64_t>& progress_;
    const std::chrono::nanoseconds patience_;
    std::uint64_t last_progress_;
    time_point last_change_;
    bool interrupted_ = false;
    std::atomic<bool> timed_out_{false};
    watch* next_ = nullptr;
  };

  /// Counts one loop's progress into slice_rates() while it lives.
  class sampled {
   public:
    sampled(watchdog& owner, const std::atomic<std::uint64_t>& progress);
    sampled(const sampled&) = delete;
    sampled& operator=(const sampled&) = delete;
    ~sampled();

   private:
    friend class watchdog;
    watchdog& owner_;
    const std::atomic<std::uint64_t>& progress_;
    sampled* next_ = nullptr;
  };

  /// Requests completed per second by all sampled loops together, in the second to the last tenth of the
  /// latest window; fewer where it was shorter than told or had no length.
  std::vector<double> slice_rates() const;

 private:
  struct sample {
    time_point at;
    std::uint64_t completed;
  };
  static constexpr std::size_t slices = 10;

  /// Holds what signal handlers share with everybody else. A handler that came to the holder would wait for
  /// itself, and so it would if the holder waited for anything that another thread had when it was
  /// interrupted: the heap is not to be used meanwhile.
  class hold {
   private:
    const undisturbed undisturbed_;
    const std::lock_guard<std::mutex> lock_{mutex_};
  };

  static void on_signal(int number) noexcept;

  /// Lists are linked through next_, newest first.
  template <class T>
  static void link(T*& newest, T& one) noexcept {
    one.next_ = newest;
    newest = &one;
  }
  template <class T>
  static void unlink(T*& newest, const T& one) noexcept {
    T** at = &newest;
    while (*at != &one) at = &(*at)->next_;
    *at = one.next_;
  }

  // All of these want the mutex held.
  void take_signal(int number) noexcept;
  void look() noexcept;
  void take_sample(time_point now) noexcept;
  void check_watches(time_point now) noexcept;
  void set_timer(time_point now) noexcept;

  const std::chrono::milliseconds timeout_;
  const std::chrono::nanoseconds tick_;
  timer_t timer_{};
  std::atomic<bool> stop_{false};
  std::atomic<int> signal_{0};
  static constinit std::mutex mutex_;  // guards what follows
  static constinit watchdog* newest_;
  watchdog* next_ = nullptr;
  std::optional<time_point> window_end_;
  std::optional<time_point> signalled_at_;
  watch* watches_ = nullptr;
  sampled* sampled_ = nullptr;
  std::array<sample, slices> samples_{};
  std::size_t sample_count_ = 0;
  std::optional<time_point> next_sample_;
  std::chrono::nanoseconds sample_interval_{0};
};

}  // namespace dbdyno
