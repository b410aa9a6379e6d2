#pragma once

#include <poll.h>

#include <cerrno>
#include <chrono>

#include "drivers/driver.hpp"

namespace dbdyno {

/// Waits until one of `events` (of poll(2)), an error or the end of the stream can be met on the socket:
/// true; or until `wait_until`: false. Reads the clock unless wait_until is time_point::max().
/// spin: without ever sleeping.
inline bool wait_for_socket(int fd, short events, time_point wait_until, bool spin = false) noexcept {
  pollfd waiting{fd, events, 0};
  while (true) {
    timespec limit{};
    if (wait_until != time_point::max()) {
      const time_point now = std::chrono::steady_clock::now();
      // The difference of the earliest time and now would overflow.
      const auto left = wait_until > now ? wait_until - now : std::chrono::steady_clock::duration(0);
      const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
      limit = {static_cast<time_t>(seconds.count()), static_cast<long>((left - seconds).count())};
    }
    const bool is_over = limit.tv_sec == 0 && limit.tv_nsec == 0 && wait_until != time_point::max();
    constexpr timespec at_once{};
    const int ready =
        ::ppoll(&waiting, 1, spin ? &at_once : (wait_until == time_point::max() ? nullptr : &limit), nullptr);
    if (ready == 0 && spin && !is_over) continue;
    // A signal's handler ran; wait_until is not reached.
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

}  // namespace dbdyno
