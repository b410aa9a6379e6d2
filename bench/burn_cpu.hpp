#pragma once

#include <chrono>
#include <ctime>

namespace dbdyno {

/// Keeps the calling thread busy until it has used that much CPU time: a known answer for tests of meters.
inline void burn_cpu(std::chrono::nanoseconds amount) {
  const auto used = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  const auto end = used() + amount;
  // Mostly in user space, with a system call now and then to look at the clock.
  for (volatile unsigned turn = 0; used() < end;)
    for (int i = 0; i < 10000; ++i) turn = turn + 1;
}

}  // namespace dbdyno
