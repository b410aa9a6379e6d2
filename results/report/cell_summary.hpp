#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/cell_group.hpp"
#include "results/run_file.hpp"
#include "results/statistics/interval.hpp"

namespace dbdyno::results {

/// A sentence and how often it was said.
struct counted_text {
  std::string text;  ///< as it was first said
  unsigned count = 0;
};

struct figure {
  double mean = 0;
  std::optional<interval_estimate> interval{};  ///< 95 %, of 2 repetitions or more
};

/// Durations of all repetitions that count.
struct latency_summary {
  /// False if the file has no histograms: the percentiles then are medians of the repetitions' own.
  bool merged = false;
  std::uint64_t count = 0;
  std::map<std::string, double>
      figures{};  ///< "p50", "p90", "p99", "p999", "p9999", "p99999", "max", "mean", ns
  std::optional<std::pair<double, double>> p99_range{};  ///< the repetitions' lowest and highest
  std::vector<std::uint64_t> curve{};                    ///< see percentile_curve
  /// The repetitions' lowest and highest at each point that all of them reach.
  std::vector<std::uint64_t> lowest{}, highest{};
};

/// Requests completed per second over the window of one repetition.
struct time_series {
  unsigned repetition = 0;
  std::optional<double> window_s{};
  std::vector<double> slices{};  ///< see cell::slices
};

struct cell_summary {
  std::string name;
  standing level = standing::unjudged;
  unsigned planned = 0;   ///< repetitions
  unsigned measured = 0;  ///< those the file has, failed ones included
  unsigned counted = 0;   ///< those that the figures are made of
  std::map<standing, unsigned> repetitions{};
  /// By counter's name, "ops" for operations per second, and where the client's CPU time is not known
  /// "real_time" and "cpu_time", ns an iteration; of the repetitions that count. A figure that one of them
  /// lacks is absent.
  std::map<std::string, figure> figures{};
  std::optional<latency_summary> latency{}, service{};
  std::vector<time_series> series{};    ///< of the first 20 repetitions that count and have one
  std::vector<counted_text> reasons{};  ///< of the verdicts, most frequent first; equal but for their numbers
  std::vector<counted_text> messages{};                       ///< of repetitions that failed
  std::map<std::string, std::uint64_t> errors{}, refusals{};  ///< of all repetitions
  std::uint64_t issued = 0, reconnects = 0;
  double downtime_s = 0;
};

/// What the file says of a cell's repetitions, without their figures: verdicts, messages, errors.
cell_summary outline(const cell_group& group);

/// The outline with figures. The repetitions that count have no error and are not invalid. If there is none,
/// those without an error do, and the cell is invalid. Errors: std::runtime_error naming the repetition whose
/// histogram cannot be read.
cell_summary summarise(const cell_group& group);

/// The file's split into layers or, where it has none, the one that its null and echo rows of the same shape
/// allow: harness = null, wire = echo - null, library = cell - echo, paired by repetition, of those that
/// count.
std::vector<layers> layers_of(const run_file& run);

}  // namespace dbdyno::results
