#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "bench/sampled_split.hpp"

namespace dbdyno {

struct context_switches {
  std::uint64_t voluntary = 0;    ///< it waited
  std::uint64_t involuntary = 0;  ///< it was preempted
  bool operator==(const context_switches&) const = default;
};

/// What a process has used since it started. Every figure is absent where it cannot be read: the process is
/// gone, or the system does not permit it, as with the block I/O of another user's process.
struct process_usage {
  std::chrono::steady_clock::time_point at{};  ///< when it was read
  /// When the process started, in clock ticks since boot: tells it from a later one of the same number.
  std::optional<std::uint64_t> start_time{};
  /// Of all its threads, ended ones included, not of its child processes.
  std::optional<std::chrono::nanoseconds> cpu{};
  std::optional<sampled_split> split{};
  /// By thread number, of the threads alive.
  std::map<pid_t, context_switches> switches{};
  std::optional<std::uint64_t>
      read_bytes{};  ///< from block devices; the page cache's and sockets' do not count
  std::optional<std::uint64_t>
      written_bytes{};  ///< towards block devices, as it dirtied pages or wrote directly
  std::optional<std::uint64_t> resident_bytes{};
};

/// Reads what process `pid` has used so far. For between windows: about ten system calls and three more a
/// thread.
process_usage read_process_usage(pid_t pid);

/// What a process used between two readings; absent, never zero, where a reading lacks the figure or it went
/// backwards, and altogether where the readings are not of one process.
struct process_cost {
  std::optional<std::chrono::nanoseconds> cpu{};
  std::optional<sampled_split> split{};  ///< absent below min_split_window
  /// Of the threads alive at the second reading: those of threads that ended in between are lost.
  std::optional<context_switches> switches{};
  std::optional<std::uint64_t> read_bytes{};
  std::optional<std::uint64_t> written_bytes{};
  std::optional<std::int64_t> resident_growth{};  ///< negative where memory was given back
};
process_cost cost_between(const process_usage& before, const process_usage& after);

/// The part of /proc/PID/stat that is used here. Units: clock ticks of sysconf(_SC_CLK_TCK).
struct process_stat {
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  std::uint64_t start_time = 0;
};
/// Source: proc(5), fields 14, 15 and 22.
std::optional<process_stat> parse_process_stat(std::string_view text);
/// The lines of /proc/PID/task/TID/status that count context switches.
std::optional<context_switches> parse_context_switches(std::string_view text);
/// The second field of /proc/PID/statm. Units: pages.
std::optional<std::uint64_t> parse_resident_pages(std::string_view text);

}  // namespace dbdyno
