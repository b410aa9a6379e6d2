#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/error_budget.hpp"
#include "bench/google_flags.hpp"
#include "bench/load.hpp"
#include "bench/max_rate_search.hpp"
#include "bench/sweep.hpp"
#include "drivers/target.hpp"
#include "fixtures/data_set.hpp"

namespace dbdyno {

/// What the command line and the DBDYNO_*_URL variables ask of dbdyno-bench.
struct bench_options {
  std::map<std::string, target> targets{};  ///< by storage; the others get throwaway servers
  data_set data{};
  sweep given{};                                  ///< what the flags say of the cells
  std::optional<latency_limit> max_rate_under{};  ///< search for the highest rate that keeps it
  dbdyno::arrivals arrivals = dbdyno::arrivals::constant;
  std::uint64_t seed = 1;  ///< of the data, the keys and the order
  std::chrono::milliseconds timeout{5000};
  std::chrono::milliseconds connect_timeout{3000};
  error_limit max_errors{};
  std::optional<std::string> plan{};  ///< a name or a file
  bool full = false;                  ///< the plan at its full length
  std::optional<std::string> out{};
  std::optional<std::string> pin{};  ///< as parse_pinning() takes it; absent: what the plan says
  bool spin = false;                 ///< drivers busy-poll, where they can
  bool layers = false;               ///< an echo and null beside every cell that crosses a wire
  bool list = false;
  bool quiet = false;
  google_flags google{};

  /// Flag and value of everything that shapes the numbers, for the result file. Holds no URL.
  std::map<std::string, std::string> shape{};
};

/// What to do after reading a command line: run, or only print `text` on stdout and exit with 0.
struct parsed_command_line {
  bench_options options{};
  std::optional<std::string> text{};
};

/// Errors: usage_error naming the flag or variable, what is wrong and what it takes.
parsed_command_line parse_command_line(int argc, const char* const* argv);

}  // namespace dbdyno
