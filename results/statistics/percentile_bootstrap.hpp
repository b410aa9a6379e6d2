#pragma once

#include <optional>

#include "results/statistics/bootstrap.hpp"
#include "results/statistics/difference.hpp"
#include "results/statistics/merged_durations.hpp"

namespace dbdyno::results {

/// The logarithm of the ratio of two cells' percentiles, each of all its repetitions' durations, the second
/// over the first. Whole repetitions are resampled, since the durations of one depend on each other.
/// Durations below 1 ns count as 1 ns. None for fewer than 2 repetitions with durations in one.
///
/// The range between percentiles of the resamples is too narrow for few repetitions, which leave out what
/// they do not know; so it is stretched about the estimate, as Student's t is wider than the normal
/// distribution.
/// Source: A. C. Davison and D. V. Hinkley, Bootstrap Methods and their Application (1997), 3.8; the
/// stretching after T. C. Hesterberg, American Statistician 69 (2015) 371.
std::optional<difference_estimate> bootstrap_percentile(const merged_durations& first,
                                                        const merged_durations& second, double percent,
                                                        const bootstrap_options& options = {});

}  // namespace dbdyno::results
