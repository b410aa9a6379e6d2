#include "bench/watchdog.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace dbdyno {
namespace {

/// How long a loop has after a signal to end by itself: it needs one reply.
constexpr std::chrono::milliseconds grace{300};
/// How long after a signal a driver may take to come back from being interrupted. An embedded store that
/// waits for another process's lock never does.
constexpr std::chrono::milliseconds last_grace{5000};
/// The same for what is not watched: connecting, starting and filling servers, writing the file.
constexpr std::chrono::milliseconds set_up_grace{30'000};

}  // namespace

watchdog::watchdog(std::chrono::milliseconds timeout) : timeout_(timeout) {
  sigset_t taken;
  sigemptyset(&taken);
  sigaddset(&taken, SIGINT);
  sigaddset(&taken, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &taken, &old_mask_);
  signals_.reset(::signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK));
  wake_up_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!signals_ || !wake_up_) throw std::system_error(errno, std::generic_category(), "watchdog");
  thread_ = std::thread([this] { run(); });
}

watchdog::~watchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake();
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void watchdog::start_window(std::optional<std::chrono::nanoseconds> length) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (signalled_at_) return;
    stop_.store(false, std::memory_order_relaxed);
    window_end_.reset();
    if (length) window_end_ = std::chrono::steady_clock::now() + *length;
  }
  wake();
}

watchdog::watch::watch(watchdog& owner, void* driver, void (*interrupt)(void*) noexcept,
                       const std::atomic<std::uint64_t>& progress)
    : owner_(owner),
      driver_(driver),
      interrupt_(interrupt),
      progress_(progress),
      last_progress_(progress.load(std::memory_order_relaxed)),
      last_change_(std::chrono::steady_clock::now()) {
  const std::lock_guard lock(owner_.mutex_);
  owner_.watches_.push_back(this);
}

watchdog::watch::~watch() {
  const std::lock_guard lock(owner_.mutex_);
  std::erase(owner_.watches_, this);
}

void watchdog::run() noexcept {
  // Often enough that a time-out is noticed within a quarter of its length.
  const std::chrono::nanoseconds tick = std::clamp<std::chrono::nanoseconds>(
      timeout_ / 4, std::chrono::milliseconds(1), std::chrono::milliseconds(250));
  while (true) {
    std::chrono::nanoseconds wait = tick;
    {
      const std::lock_guard lock(mutex_);
      if (done_) return;
      const time_point now = std::chrono::steady_clock::now();
      if (window_end_ && now >= *window_end_) {
        stop_.store(true, std::memory_order_relaxed);
        window_end_.reset();
      }
      check_watches(now);
      if (window_end_) wait = std::min<std::chrono::nanoseconds>(wait, *window_end_ - now);
      if (signalled_at_) wait = std::min<std::chrono::nanoseconds>(wait, grace / 4);
    }
    const timespec relative{wait.count() / 1'000'000'000, wait.count() % 1'000'000'000};
    pollfd waiting[] = {{signals_.get(), POLLIN, 0}, {wake_up_.get(), POLLIN, 0}};
    if (::ppoll(waiting, 2, &relative, nullptr) <= 0) continue;
    if ((waiting[0].revents & POLLIN) != 0) take_signal();
    std::uint64_t woken = 0;
    if ((waiting[1].revents & POLLIN) != 0 && ::read(wake_up_.get(), &woken, sizeof woken) < 0) continue;
  }
}

void watchdog::take_signal() noexcept {
  signalfd_siginfo info{};
  if (::read(signals_.get(), &info, sizeof info) != sizeof info) return;
  const std::lock_guard lock(mutex_);
  // Whoever asks twice does not want to wait. Servers of ours end with this process, whichever way it ends.
  if (signalled_at_) ::_exit(128 + static_cast<int>(info.ssi_signo));
  signal_.store(static_cast<int>(info.ssi_signo), std::memory_order_relaxed);
  signalled_at_ = std::chrono::steady_clock::now();
  stop_.store(true, std::memory_order_relaxed);
}

void watchdog::check_watches(time_point now) noexcept {
  if (signalled_at_ && now - *signalled_at_ >= (watches_.empty() ? set_up_grace : last_grace))
    ::_exit(128 + signal());
  for (watch* w : watches_) {
    if (w->interrupted_) continue;
    const std::uint64_t progress = w->progress_.load(std::memory_order_relaxed);
    if (progress != w->last_progress_) {
      w->last_progress_ = progress;
      w->last_change_ = now;
    }
    const bool late = now - w->last_change_ >= timeout_;
    if (!late && !(signalled_at_ && now - *signalled_at_ >= grace)) continue;
    w->interrupted_ = true;
    w->timed_out_.store(late, std::memory_order_relaxed);
    w->interrupt_(w->driver_);
  }
}

void watchdog::wake() const noexcept {
  const std::uint64_t one = 1;
  // A full counter already wakes the thread.
  [[maybe_unused]] const auto written = ::write(wake_up_.get(), &one, sizeof one);
}

}  // namespace dbdyno
