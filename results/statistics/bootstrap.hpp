#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "results/statistics/difference.hpp"

namespace dbdyno::results {

/// How a bootstrap resamples. The answer depends on this and the samples alone.
struct bootstrap_options {
  std::size_t resamples = 1000;
  std::uint64_t seed = 1;
};

/// Welch's t interval of the difference of the means of two samples, the second less the first. None for
/// fewer than 2 values in one.
/// Source: B. L. Welch, Biometrika 34 (1947) 28.
std::optional<difference_estimate> welch_difference(std::span<const double> first,
                                                    std::span<const double> second);

/// The studentised bootstrap interval (bootstrap-t) of the same, which follows skewed samples. Welch's where
/// that is not to be had: with fewer than 4 values in one, or so many equal ones that the interval would be
/// infinite. None for fewer than 2.
/// Source: P. Hall, The Bootstrap and Edgeworth Expansion (1992).
std::optional<difference_estimate> bootstrap_difference(std::span<const double> first,
                                                        std::span<const double> second,
                                                        const bootstrap_options& options = {});

}  // namespace dbdyno::results
