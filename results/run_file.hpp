#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/machine.hpp"

/// One result file in memory. README.md in this folder describes the file key by key.
namespace dbdyno::results {

/// What Google Benchmark's "context" holds beyond the machine.
struct run_context {
  std::string date;                ///< local time with offset, see local_time
  std::string executable;          ///< name of the program, without its directory
  std::vector<double> load_avg;    ///< over 1, 5 and 15 minutes, at the start
  std::string library_build_type;  ///< of Google Benchmark as it says itself; "debug" on Debian
  std::string library_version;     ///< of Google Benchmark
  std::string dbdyno_version;
  std::string dbdyno_build_type;

  bool operator==(const run_context&) const = default;
};

enum class statistic : std::uint8_t { mean, median, stddev, cv };

/// One repetition of a benchmark, or one statistic over its repetitions.
struct row {
  std::string name;               ///< the benchmark's, without a statistic's suffix
  std::optional<statistic> kind;  ///< absent in a repetition
  unsigned repetition = 0;        ///< from 0; not used in a statistic
  unsigned repetitions = 1;       ///< as planned
  unsigned threads = 1;
  std::uint64_t iterations = 0;     ///< completed operations; in a statistic the repetitions it covers
  std::optional<double> real_time;  ///< ns an operation: window / operations; a ratio in a cv row
  std::optional<double> cpu_time;   ///< ns an operation: the client's; a ratio in a cv row
  std::optional<std::string> error_message;  ///< present if the repetition failed
  /// By name; the writer refuses names that a row's own keys have and leaves out what is not finite.
  std::map<std::string, double> counters;

  bool operator==(const row&) const = default;
};

/// A server or directory that was measured.
struct target_info {
  std::string storage;     ///< "redis", "mysql", ...
  std::string url;         ///< masked
  bool throwaway = false;  ///< started for this run
  std::optional<std::string> server_version;
  std::vector<std::string> transports;
  std::map<std::string, std::string> settings;  ///< those of the server that matter

  bool operator==(const target_info&) const = default;
};

struct plan_step {
  std::string name;
  unsigned repetition = 0;

  bool operator==(const plan_step&) const = default;
};

/// What was to be run.
struct plan_info {
  std::string name;
  std::string hash;                            ///< see plan_hash
  std::uint64_t seed = 0;                      ///< of the order
  std::map<std::string, std::string> options;  ///< settings of the run: flag without dashes, value
  std::vector<plan_step> order;                ///< in which the repetitions were to run

  bool operator==(const plan_info&) const = default;
};

enum class verdict_level : std::uint8_t { valid, suspect, invalid };

struct verdict {
  verdict_level level = verdict_level::valid;
  std::vector<std::string> reasons;

  bool operator==(const verdict&) const = default;
};

/// What is known of one repetition beyond its row. It belongs to the row of the same name and repetition.
struct cell {
  std::string name;
  unsigned repetition = 0;
  std::optional<verdict> judged;
  std::map<std::string, std::uint64_t> errors;  ///< operations that failed, by class

  bool operator==(const cell&) const = default;
};

struct run_file {
  run_context context;
  std::vector<row> rows;
  bool partial = false;  ///< the run ended before its plan did
  machine_info machine;
  std::vector<target_info> targets;
  plan_info plan;
  std::vector<cell> cells;

  bool operator==(const run_file&) const = default;
};

}  // namespace dbdyno::results
