#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "bench/sampled_split.hpp"

namespace dbdyno {

/// What the calling thread has used since it started.
struct thread_usage {
  std::chrono::steady_clock::time_point at{};  ///< when it was read
  std::chrono::nanoseconds cpu{};
  sampled_split split{};
  std::uint64_t voluntary_switches = 0;    ///< it waited
  std::uint64_t involuntary_switches = 0;  ///< it was preempted
};

/// Costs two system calls, and neither allocates nor throws.
/// Threads: each for itself.
thread_usage read_thread_usage() noexcept;

/// What one thread, or the sum of several, used between two readings.
struct thread_cost {
  std::chrono::nanoseconds cpu{};
  std::optional<sampled_split> split = sampled_split{};  ///< absent if any of them is below min_split_window
  std::uint64_t voluntary_switches = 0;
  std::uint64_t involuntary_switches = 0;

  thread_cost& operator+=(const thread_cost& other) noexcept;
};

/// Both readings must be of the same thread.
thread_cost cost_between(const thread_usage& before, const thread_usage& after) noexcept;

}  // namespace dbdyno
