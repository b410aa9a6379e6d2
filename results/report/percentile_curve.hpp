#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "results/histogram.hpp"

namespace dbdyno::results {

/// Points of a curve for each factor of 10 in 1 / (1 - percentile).
inline constexpr std::size_t curve_points_per_decade = 11;
/// From the lowest duration to 99.999 %.
inline constexpr std::size_t curve_points = 5 * curve_points_per_decade + 1;

/// A histogram as few points, for drawing: point i is the percentile at which 1 / (1 - p) is
/// 10^(i / curve_points_per_decade).
///
/// Units: nanoseconds. Shapes: curve_points at most; it ends before the first percentile that fewer than 10
/// durations come after, so an empty or small histogram gives none. Each point is the upper end of its
/// bucket, as histogram::percentile has it.
std::vector<std::uint64_t> percentile_curve(const histogram& durations);

}  // namespace dbdyno::results
