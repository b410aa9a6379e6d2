#pragma once

#include <cstddef>
#include <span>

namespace dbdyno::results {

/// What Mann and Whitney's test says of two samples.
struct rank_test {
  /// In how many of all pairs of a value of the first and one of the second sample the first one's is larger;
  /// ties count 1/2. Half of all pairs where the samples are alike.
  double u = 0;
  /// How likely samples of one distribution are to differ as much or more in either direction.
  double p = 1;
};

/// Compares two samples of finite values, in any order. Two-sided. Exact, ties included, where both have up
/// to 50 values together; beyond that by the normal distribution with corrections for ties and continuity. An
/// empty sample tells nothing: p is 1.
/// The exact p is twice the smaller tail among all ways to deal the ranks out. (Others add up what is as far
/// from the mean, which is less where ties make the tails unequal, and can pass below least_p.)
/// Source: H. B. Mann and D. R. Whitney, Annals of Mathematical Statistics 18 (1947) 50.
rank_test mann_whitney(std::span<const double> first, std::span<const double> second);

/// The least exact p that samples of these sizes can have at all: where every value of one is above all of
/// the other. 1 where one is empty. A family of m tests for which m times this is not below the level finds
/// nothing.
double least_p(std::size_t first, std::size_t second) noexcept;

}  // namespace dbdyno::results
