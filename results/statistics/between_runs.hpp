#pragma once

#include <optional>
#include <span>
#include <vector>

#include "results/statistics/difference.hpp"

namespace dbdyno::results {

/// How far the means of whole runs lie apart beyond what their repetitions explain: whatever changes from one
/// run to the next, such as where memory lies or what else the machine does.
struct between_run_spread {
  double deviation = 0;  ///< standard deviation, of logarithms where the samples are
  double freedom = 1;    ///< degrees of freedom: one less than the runs it was learned from
};

/// Learns it from the samples of earlier runs of one cell, which need not have as many values each. None for
/// fewer than 2 runs with values. Where no run has 2, all their spread is taken to be between runs.
///
/// The usual estimate is 0 for one in several families of runs, by chance, and would let false alarms
/// through just there. So the variance of the means is taken at a bound that it is below two times in three,
/// and then the part of the repetitions is taken off, down to 0.
/// Source: one-way random effects, unbalanced: S. R. Searle, G. Casella and C. E. McCulloch, Variance
/// Components (1992), 3.6.
std::optional<between_run_spread> learn_between_runs(std::span<const std::vector<double>> runs);

/// By how much two runs may differ for that alone, at 95 % confidence in either direction.
double between_run_half_width(const between_run_spread& spread) noexcept;

/// The interval for two samples of separate runs: each side combined with that half width in quadrature.
difference_estimate widen(const difference_estimate& estimate, const between_run_spread& spread) noexcept;

}  // namespace dbdyno::results
