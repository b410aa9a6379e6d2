#include "bench/watchdog.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace dbdyno {
namespace {

/// How long a loop has after a signal to end by itself: it needs one reply.
constexpr std::chrono::milliseconds grace{300};
/// How long after a signal a driver may take to come back from being interrupted. An embedded store that
/// waits for another process's lock never does.
constexpr std::chrono::milliseconds last_grace{5000};
/// The same for what is not watched: connecting, starting and filling servers, writing the file.
constexpr std::chrono::milliseconds set_up_grace{30'000};

/// The timer's signal.
int timer_signal() noexcept {
  return SIGRTMIN;
}

sigset_t all_signals() noexcept {
  sigset_t out;
  sigemptyset(&out);
  sigaddset(&out, SIGINT);
  sigaddset(&out, SIGTERM);
  sigaddset(&out, timer_signal());
  return out;
}

/// What becomes of the user's signals while there is no watchdog.
struct sigaction without_us_interrupt {};
struct sigaction without_us_terminate {};

}  // namespace

constinit std::mutex watchdog::mutex_;
constinit watchdog* watchdog::newest_ = nullptr;

watchdog::undisturbed::undisturbed() noexcept {
  const sigset_t signals = all_signals();
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
}

watchdog::undisturbed::~undisturbed() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

watchdog::watchdog(std::chrono::milliseconds timeout)
    : timeout_(timeout),
      // Often enough that a time-out is noticed within a quarter of its length.
      tick_(std::clamp<std::chrono::nanoseconds>(timeout / 4, std::chrono::milliseconds(1),
                                                 std::chrono::milliseconds(250))) {
  // Whoever has started this process may have blocked them for it.
  const sigset_t signals = all_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  const hold held;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_mask = signals;
  action.sa_flags = SA_RESTART;
  // It stays: a signal of the timer may come after the timer was deleted.
  sigaction(timer_signal(), &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = timer_signal();
  if (::timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0)
    throw std::system_error(errno, std::generic_category(), "watchdog");
  if (newest_ == nullptr) {
    sigaction(SIGINT, &action, &without_us_interrupt);
    sigaction(SIGTERM, &action, &without_us_terminate);
  }
  link(newest_, *this);
}

watchdog::~watchdog() {
  const hold held;
  unlink(newest_, *this);
  ::timer_delete(timer_);
  if (newest_ != nullptr) return;
  sigaction(SIGINT, &without_us_interrupt, nullptr);
  sigaction(SIGTERM, &without_us_terminate, nullptr);
}

void watchdog::start_window(std::optional<std::chrono::nanoseconds> length) noexcept {
  const hold held;
  if (signalled_at_) return;
  stop_.store(false, std::memory_order_relaxed);
  window_end_.reset();
  sample_count_ = 0;
  next_sample_.reset();
  const time_point now = std::chrono::steady_clock::now();
  if (length) {
    window_end_ = now + *length;
    sample_interval_ = *length / slices;
    next_sample_ = now + sample_interval_;
  }
  set_timer(now);
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
  const hold held;
  link(owner_.watches_, *this);
  owner_.set_timer(last_change_);
}

watchdog::watch::~watch() {
  const hold held;
  unlink(owner_.watches_, *this);
}

watchdog::sampled::sampled(watchdog& owner, const std::atomic<std::uint64_t>& progress)
    : owner_(owner), progress_(progress) {
  const hold held;
  link(owner_.sampled_, *this);
}

watchdog::sampled::~sampled() {
  const hold held;
  unlink(owner_.sampled_, *this);
  // A sum without this loop would be no rate of the row.
  owner_.next_sample_.reset();
}

void watchdog::take_sample(time_point now) noexcept {
  std::uint64_t completed = 0;
  for (const sampled* one = sampled_; one != nullptr; one = one->next_)
    completed += one->progress_.load(std::memory_order_relaxed) & ~idle;
  samples_[sample_count_++] = {now, completed};
  next_sample_ = sample_count_ < slices ? std::optional(now + sample_interval_) : std::nullopt;
}

std::vector<double> watchdog::slice_rates() const {
  const auto [samples, count] = [this] {
    const hold held;
    return std::pair(samples_, sample_count_);
  }();
  std::vector<double> out;
  for (std::size_t i = 1; i < count; ++i) {
    const std::chrono::duration<double> length = samples[i].at - samples[i - 1].at;
    out.push_back(static_cast<double>(samples[i].completed - samples[i - 1].completed) / length.count());
  }
  return out;
}

void watchdog::on_signal(int number) noexcept {
  const int error_before = errno;
  {
    // Whoever holds it has these signals blocked, so that it is another thread, which goes on.
    const std::lock_guard lock(mutex_);
    for (watchdog* dog = newest_; dog != nullptr; dog = dog->next_) {
      if (number != timer_signal()) dog->take_signal(number);
      dog->look();
    }
  }
  errno = error_before;
}

void watchdog::look() noexcept {
  const time_point now = std::chrono::steady_clock::now();
  if (next_sample_ && now >= *next_sample_) take_sample(now);
  if (window_end_ && now >= *window_end_) {
    stop_.store(true, std::memory_order_relaxed);
    window_end_.reset();
  }
  check_watches(now);
  set_timer(now);
}

void watchdog::set_timer(time_point now) noexcept {
  std::optional<time_point> next;
  const auto by = [&](std::optional<time_point> at) {
    if (at && (!next || *at < *next)) next = at;
  };
  by(next_sample_);
  by(window_end_);
  // What was interrupted may be in a call that begins its time-out anew after every signal.
  for (const watch* w = watches_; w != nullptr; w = w->next_) {
    if (!w->interrupted_) by(now + tick_);
  }
  if (signalled_at_) by(now + grace / 4);
  itimerspec when{};
  if (next) {
    // A time of 0 would stop it.
    const auto at = std::max<std::int64_t>(1, std::chrono::nanoseconds(next->time_since_epoch()).count());
    when.it_value = {at / 1'000'000'000, at % 1'000'000'000};
  }
  ::timer_settime(timer_, TIMER_ABSTIME, &when, nullptr);
}

void watchdog::take_signal(int number) noexcept {
  // Whoever asks twice does not want to wait. Servers of ours end with this process, whichever way it ends.
  if (signalled_at_) ::_exit(128 + number);
  signal_.store(number, std::memory_order_relaxed);
  signalled_at_ = std::chrono::steady_clock::now();
  stop_.store(true, std::memory_order_relaxed);
}

void watchdog::check_watches(time_point now) noexcept {
  if (signalled_at_ && now - *signalled_at_ >= (watches_ == nullptr ? set_up_grace : last_grace))
    ::_exit(128 + signal());
  for (watch* w = watches_; w != nullptr; w = w->next_) {
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

}  // namespace dbdyno
