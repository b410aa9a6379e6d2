#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/cell_group.hpp"
#include "results/run_file.hpp"

namespace dbdyno::results {

/// One figure of a benchmark.
struct benchmark_figure {
  /// The median of the repetitions that count; of latencies what holds for all their operations together.
  double value = 0;
  /// The lowest and the highest of the repetitions' own; none of fewer than 2.
  std::optional<std::pair<double, double>> range{};
};

/// All operations of a benchmark together. Units: nanoseconds.
struct latency_totals {
  std::uint64_t count = 0;
  std::uint64_t sum_ns = 0;
};

/// What the repetitions of one benchmark that count, neither failed nor invalid, say together.
struct benchmark_figures {
  std::string name{};   ///< as in the file
  std::string label{};  ///< the name to show: clean, without Google Benchmark's timer, one benchmark's only
  unsigned threads = 1;
  std::map<standing, unsigned> repetitions{};     ///< of the file, those that do not count included
  std::map<std::string, std::uint64_t> errors{};  ///< class: requests, of all repetitions
  /// By counter, and "real_time", "cpu_time" (ns) and "iterations". A figure that one of the repetitions
  /// lacks is absent. Empty: none counts.
  std::map<std::string, benchmark_figure> figures{};
  std::optional<latency_totals> latency{}, service{};  ///< where the file has histograms
  /// Latencies are left out, since several repetitions have some and not all of them a histogram.
  bool unmerged = false;
};

/// One for each benchmark, in the order of the names (comes_before), then those of which the file has
/// statistics only: their median or, for want of one, their mean.
///
/// Latencies of several repetitions come from their merged histograms, since percentiles cannot be averaged;
/// those of a single one without histograms are its own.
/// Errors: std::runtime_error naming the histogram that cannot be read.
std::vector<benchmark_figures> figures_of(const run_file& run);

/// Whether figures may be made of it: it neither failed nor was judged invalid.
bool counts(const cell_group::repetition& of) noexcept;

/// One sentence for each benchmark with repetitions that do not count: how many, and the first one's reason.
std::vector<std::string> left_out(const run_file& run);

}  // namespace dbdyno::results
