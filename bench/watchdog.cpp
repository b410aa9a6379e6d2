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
  samples_.reserve(slices);
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
    samples_.clear();
    next_sample_.reset();
    if (length) {
      const time_point now = std::chrono::steady_clock::now();
      window_end_ = now + *length;
      sample_interval_ = *length / slices;
      next_sample_ = now + sample_interval_;
    }
  }
  wake();
}

watchdog::watch::watch(watchdog& owner, void* driver, void (*interrupt)(void*) noexcept,
                       const std::atomic<std::uint64_t>& progress, std::chrono::nanoseconds patience)
    : owner_(owner),
      driver_(driver),
      interrupt_(interrupt),
      progress_(progress),
      patience_(patience),
      last_progress_(progress.load(std::memory_order_relaxed)),
      last_change_(std::chrono::steady_clock::now()) {
  const std::lock_guard lock(owner_.mutex_);
  owner_.watches_.push_back(this);
}

watchdog::watch::~watch() {
  const std::lock_guard lock(owner_.mutex_);
  std::erase(owner_.watches_, this);
}

watchdog::sampled::sampled(watchdog& owner, const std::atomic<std::uint64_t>& progress)
    : owner_(owner), progress_(progress) {
  const std::lock_guard lock(owner_.mutex_);
  owner_.sampled_.push_back(&progress_);
}

watchdog::sampled::~sampled() {
  const std::lock_guard lock(owner_.mutex_);
  std::erase(owner_.sampled_, &progress_);
  // A sum without this loop would be no rate of the row.
  owner_.next_sample_.reset();
}

void watchdog::take_sample(time_point now) noexcept {
  std::uint64_t completed = 0;
  for (const auto* progress : sampled_) completed += progress->load(std::memory_order_relaxed) & ~idle;
  samples_.push_back({now, completed});
  next_sample_ = samples_.size() < slices ? std::optional(now + sample_interval_) : std::nullopt;
}

std::vector<double> watchdog::slice_rates() const {
  const std::lock_guard lock(mutex_);
  std::vector<double> out;
  for (std::size_t i = 1; i < samples_.size(); ++i) {
    const std::chrono::duration<double> length = samples_[i].at - samples_[i - 1].at;
    out.push_back(static_cast<double>(samples_[i].completed - samples_[i - 1].completed) / length.count());
  }
  return out;
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
      if (next_sample_ && now >= *next_sample_) take_sample(now);
      if (window_end_ && now >= *window_end_) {
        stop_.store(true, std::memory_order_relaxed);
        window_end_.reset();
      }
      check_watches(now);
      if (next_sample_) wait = std::min<std::chrono::nanoseconds>(wait, *next_sample_ - now);
      if (window_end_) wait = std::min<std::chrono::nanoseconds>(wait, *window_end_ - now);
      if (signalled_at_) wait = std::min<std::chrono::nanoseconds>(wait, grace / 4);
    }
    wait = std::max(wait, std::chrono::nanoseconds(0));
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
    if (progress != w->last_progress_ || (progress & idle) != 0) {
      w->last_progress_ = progress;
      w->last_change_ = now;
    }
    const bool late = now - w->last_change_ >= w->patience_;
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
