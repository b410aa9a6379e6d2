#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dbdyno {

/// The --benchmark_* flags of a command line: those with a meaning of ours, and those that Google Benchmark
/// takes.
struct google_flags {
  std::optional<std::string> filter{};
  std::optional<std::string> min_time{};
  std::optional<std::string> min_warmup_time{};
  std::optional<std::string> repetitions{};
  bool list_tests = false;
  std::string format = "console";
  std::optional<std::string> out{};
  std::string out_format = "json";
  bool report_aggregates_only = false;   ///< nowhere a repetition
  bool display_aggregates_only = false;  ///< no repetition on stdout
  std::vector<std::string> passed_on{};  ///< as typed
};

/// Removes the --benchmark_* flags from `arguments`.
/// Errors: usage_error naming a flag that is unknown, has no value, or that this program replaces by another.
google_flags take_google_flags(std::vector<std::string>& arguments);

}  // namespace dbdyno
