#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "results/statistics/between_runs.hpp"

namespace dbdyno::results {

/// The spread of repetitions about the mean of their own sample.
struct noise_estimate {
  double deviation = 0;  ///< standard deviation, of logarithms
  double freedom = 1;    ///< degrees of freedom it was estimated with

  bool operator==(const noise_estimate&) const = default;
};

/// What two samples that may differ in their means have in common. None where neither has 2 values.
std::optional<noise_estimate> pooled_noise(std::span<const double> first, std::span<const double> second);

/// What is to be found, and how surely.
struct wanted_finding {
  double change = 0.05;  ///< the ratio is 1 plus this, or the inverse
  double level = 0.05;   ///< for the family: 0.05 divided by its size
  double power = 0.95;
};

/// How many repetitions each of two samples needs, so that a change is found as `compare_samples` and
/// `decide` do it: by Mann and Whitney's test below the level and by an interval, widened for separate runs
/// where `between` is given. None where no number would do: runs differ too much by themselves, or it would
/// pass a billion.
///
/// The noise is itself an estimate, more often too small than too large, so it is taken from an upper bound
/// of it: the one that makes the power true on average over all the pilots one might have had. That is a
/// quantile of the noncentral t distribution.
/// Source: S. A. Julious and R. J. Owen, Pharmaceutical Statistics 5 (2006) 29, for the average over pilots;
/// J. L. Hodges and E. L. Lehmann, Annals of Mathematical Statistics 27 (1956) 324, for the test's efficiency
/// of 3 / pi.
std::optional<std::size_t> repetitions_needed(
    const noise_estimate& noise, const wanted_finding& wanted = {},
    const std::optional<between_run_spread>& between = std::nullopt);

}  // namespace dbdyno::results
