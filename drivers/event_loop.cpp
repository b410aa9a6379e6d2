#include "drivers/event_loop.hpp"

#include <event2/event.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

// Returning from a callback is enough: EVLOOP_ONCE ends after the callbacks of one wait.
void nothing(evutil_socket_t, short, void*) {
}

event_base* new_base() noexcept {
  event_config* config = event_config_new();
  if (config == nullptr) return nullptr;
  // One thread owns the base: no locks.
  event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
  event_config_set_flag(config, EVENT_BASE_FLAG_IGNORE_ENV);
  // Nothing here asks libevent for the time, so it need not read the clock twice a wait.
  event_config_set_flag(config, EVENT_BASE_FLAG_NO_CACHE_TIME);
  event_base* base = event_base_new_with_config(config);
  event_config_free(config);
  return base;
}

/// Never read, so once readable it stays so: a persistent event on it ends every later wait at once.
event* watch(event_base* base, const unique_fd& fd) noexcept {
  if (base == nullptr || !fd) return nullptr;
  event* made = event_new(base, fd.get(), EV_READ | EV_PERSIST, nothing, nullptr);
  if (made != nullptr && event_add(made, nullptr) != 0) {
    event_free(made);
    return nullptr;
  }
  return made;
}

}  // namespace

void event_loop::base_deleter::operator()(event_base* base) const noexcept {
  event_base_free(base);
}

void event_loop::event_deleter::operator()(event* e) const noexcept {
  event_free(e);
}

// A libevent timer would cost a timerfd_settime() at every wait while it is pending; this one costs nothing
// until wait_until changes.
event_loop::event_loop(std::string_view driver, bool spins)
    : timer_fd_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
      wake_fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      base_(new_base()),
      timer_(watch(base_.get(), timer_fd_)),
      wake_up_(watch(base_.get(), wake_fd_)),
      spins_(spins) {
  if (!timer_ || !wake_up_)
    throw setup_error(driver, "make an event loop for", "libevent", std::strerror(errno));
}

void event_loop::run_once(time_point wait_until) noexcept {
  if (spins_) {
    // Without ONCE it would go on for as long as a socket that nobody reads meanwhile is readable.
    event_base_loop(base_.get(), EVLOOP_ONCE | EVLOOP_NONBLOCK);
    return;
  }
  if (wait_until != armed_) {
    armed_ = wait_until;
    // A time of 0 would disarm the timer.
    const std::int64_t at =
        std::max<std::int64_t>(1, std::chrono::nanoseconds(wait_until.time_since_epoch()).count());
    const itimerspec when{{}, {at / 1'000'000'000, at % 1'000'000'000}};
    ::timerfd_settime(timer_fd_.get(), TFD_TIMER_ABSTIME, &when, nullptr);
  }
  event_base_loop(base_.get(), EVLOOP_ONCE);
}

void event_loop::wake() noexcept {
  woken_.store(true, std::memory_order_relaxed);
  const std::uint64_t one = 1;
  // A full counter already wakes the loop.
  [[maybe_unused]] const auto written = ::write(wake_fd_.get(), &one, sizeof one);
}

}  // namespace dbdyno
