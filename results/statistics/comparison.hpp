#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "results/statistics/between_runs.hpp"
#include "results/statistics/bootstrap.hpp"
#include "results/statistics/mann_whitney.hpp"
#include "results/statistics/merged_durations.hpp"
#include "results/statistics/repetitions_needed.hpp"

namespace dbdyno::results {

/// How a second sample compares with a first.
///
/// Units: `estimate`, `low`, `high` and `shift` are ratios of the second to the first if `ratios`, and
/// otherwise differences in the unit of the values, the second less the first.
struct two_sample_comparison {
  bool ratios = true;
  double first = 0;   ///< geometric mean, or percentile of all durations; arithmetic mean where not `ratios`
  double second = 0;  ///< the same
  double estimate = 1;
  /// The range at 95 % confidence, widened where the spread between runs was given. None for fewer than 2
  /// values in one sample.
  std::optional<double> low;
  std::optional<double> high;
  double shift = 1;  ///< Hodges and Lehmann's: what becomes of the first sample to be like the second
  rank_test test;    ///< of the first against the second
  /// For repetitions_needed; relative to the first figure where not `ratios`. None where it has no meaning.
  std::optional<noise_estimate> noise;
};

struct comparison_options {
  bootstrap_options bootstrap{};
  /// The spread between runs, of logarithms, for samples that were recorded apart. None for those of one run
  /// or of interleaved ones.
  std::optional<between_run_spread> between{};
};

/// Compares two samples of finite values, one of each repetition: by their logarithms, since noise
/// multiplies, or by plain differences if one is not above 0. None where one is empty.
std::optional<two_sample_comparison> compare_samples(std::span<const double> first,
                                                     std::span<const double> second,
                                                     const comparison_options& options = {});

/// Compares the percentile of all durations of one cell with another's. The test and the noise are of the
/// percentiles of each repetition. None where one has no durations.
std::optional<two_sample_comparison> compare_percentiles(const merged_durations& first,
                                                         const merged_durations& second, double percent,
                                                         const comparison_options& options = {});

enum class outcome : std::uint8_t { higher, lower, same, cannot_tell };

/// What may be said of the second sample: that it is higher or lower if both the adjusted p is below `level`
/// and the range excludes no change; that it is the same if the range lies within [1 / (1 + limit), 1 +
/// limit]. `adjusted_p` is the comparison's p after holm() over its family.
outcome decide(const two_sample_comparison& comparison, double adjusted_p, double limit,
               double level = 0.05) noexcept;

}  // namespace dbdyno::results
