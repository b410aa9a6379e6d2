#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/latency_record.hpp"
#include "results/machine.hpp"
#include "results/statistics/interval.hpp"

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

/// What became of the requests of one repetition, those still in flight at the end of its window included:
/// issued = ok + missed + all errors + unknown + unsent. Units: requests.
struct accounting {
  std::uint64_t issued = 0;
  std::uint64_t ok = 0;
  std::uint64_t missed = 0;
  std::uint64_t unknown = 0;  ///< sets that may or may not have been carried out
  std::uint64_t unsent = 0;   ///< lost before any byte was written

  bool operator==(const accounting&) const = default;
};

/// What is known of one repetition beyond its row. It belongs to the row of the same name and repetition.
struct cell {
  std::string name;
  unsigned repetition = 0;
  std::optional<verdict> judged;
  std::map<std::string, std::uint64_t> errors;  ///< requests that failed, by class
  /// Requests that the server refused, by its code; they are among the errors.
  std::map<std::string, std::uint64_t> refusals{};
  std::optional<accounting> requests{};
  std::optional<std::uint64_t> reconnects{};  ///< connections made anew inside the window; absent: none
  std::optional<double> downtime_s{};         ///< of all connections together, seconds; absent: none
  std::vector<double> slices{};               ///< requests completed per second, in equal parts of the window
  std::optional<double> start_s{};            ///< of the measured window, seconds after the run's
  std::optional<double> window_s{};           ///< its length, seconds
  /// "ok": latency, in an open loop from the intended start; "service": from the actual one, in an open loop
  /// only; "missed" and "failed": of operations that were. Absent where there was no such operation.
  std::map<std::string, latency_record> histograms{};

  bool operator==(const cell&) const = default;
};

/// The search for the highest rate of an open loop that keeps a limit. Each step has its rows as well.
struct rate_search {
  struct step {
    double rate = 0;               ///< due per second
    std::optional<double> figure;  ///< what the limit is about, ns; absent where it was no measurement
    bool kept = false;

    bool operator==(const step&) const = default;
  };

  std::string name;   ///< of the cell in a closed loop
  std::string limit;  ///< such as "p99=5ms"
  std::vector<step> steps;
  std::optional<double> knee;  ///< the highest rate that kept the limit; absent: none did, or `stopped`
  std::string stopped{};       ///< why the search was not finished; empty if it was

  bool operator==(const rate_search&) const = default;
};

/// What an operation of one cell takes, layer by layer. Units: nanoseconds an operation. A layer is absent
/// where too few repetitions allow to tell.
struct layers {
  std::string name;                          ///< of the cell
  std::string metric;                        ///< "time" (1 / rate) or "client_cpu"
  std::optional<interval_estimate> harness;  ///< the null driver in the same shape
  std::optional<interval_estimate> wire;     ///< a bare socket echo of as many bytes, less that
  std::optional<interval_estimate> library;  ///< the cell less the echo

  bool operator==(const layers&) const = default;
};

/// The clock that latencies were read from, and what measuring itself costs.
struct clock_info {
  std::string source;  ///< "tsc" or "steady_clock"
  double ticks_per_second = 0;
  double read_ns = 0;    ///< one reading
  double record_ns = 0;  ///< one latency into a histogram

  bool operator==(const clock_info&) const = default;
};

/// Where a run comes from that another program measured. What that program does not tell is empty or absent
/// everywhere in the file.
struct import_info {
  std::string format;                ///< see imports/import_text.hpp
  std::vector<std::string> remarks;  ///< what was set aside or read otherwise than it stands there

  bool operator==(const import_info&) const = default;
};

struct run_file {
  run_context context;
  std::vector<row> rows;
  bool partial = false;  ///< the run ended before its plan did
  machine_info machine;
  std::vector<target_info> targets;
  plan_info plan;
  std::vector<cell> cells;
  std::vector<rate_search> searches{};
  std::vector<layers> layer_splits{};
  std::optional<clock_info> clock{};
  std::optional<import_info> imported{};  ///< absent: dbdyno measured it

  bool operator==(const run_file&) const = default;
};

}  // namespace dbdyno::results
