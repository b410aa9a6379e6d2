#include "results/statistics/hodges_lehmann.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "results/statistics/moments.hpp"

namespace dbdyno::results {
namespace {

using sample = std::vector<double>;

TEST(hodges_lehmann, hollander_and_wolfes_membranes) {
  // M. Hollander and D. A. Wolfe, Nonparametric Statistical Methods (1973) 69 and 75: the estimate is 0.305.
  const sample term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const sample earlier{1.15, 0.88, 0.90, 0.74, 1.21};
  EXPECT_NEAR(*hodges_lehmann(earlier, term), 0.305, 1e-12);
  EXPECT_NEAR(*hodges_lehmann(term, earlier), -0.305, 1e-12);
}

TEST(hodges_lehmann, statxacts_blood_pressures) {
  // The manual of StatXact, p. 221; R's exactRankTests has 9.5 for it.
  EXPECT_EQ(*hodges_lehmann(sample{80, 94, 85, 90, 90, 90, 108, 94, 78, 105, 88}, sample{94, 108, 110, 90}),
            9.5);
}

TEST(hodges_lehmann, one_wild_value_hardly_moves_it) {
  EXPECT_NEAR(*hodges_lehmann(sample{1, 2, 3, 4, 5}, sample{2, 3, 4, 5, 1e6}), 1, 1);
}

TEST(hodges_lehmann, is_the_median_of_all_differences) {
  for (const sample& first : {sample{3}, sample{-2, 0, 5, 5}, sample{0.1, -7.25, 3e9, 1e-9, 2}}) {
    for (const sample& second : {sample{-1}, sample{4, 4, -0.0}, sample{0.3, 1e-12, -4e7, 8}}) {
      sample differences;
      for (const double a : first)
        for (const double b : second) differences.push_back(b - a);
      EXPECT_EQ(hodges_lehmann(first, second), median(differences));
    }
  }
}

TEST(hodges_lehmann, keeps_no_difference_of_large_samples) {
  // Ten thousand million pairs.
  sample first(100'000);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<double>(i * 7919 % first.size());
  sample second = first;
  for (double& value : second) value += 0.5;
  EXPECT_EQ(hodges_lehmann(first, second), 0.5);
}

TEST(hodges_lehmann, needs_both_samples) {
  EXPECT_FALSE(hodges_lehmann({}, sample{1}));
  EXPECT_FALSE(hodges_lehmann(sample{1}, {}));
  EXPECT_EQ(*hodges_lehmann(sample{1}, sample{4}), 3);
}

}  // namespace
}  // namespace dbdyno::results
