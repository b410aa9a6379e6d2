#include "results/statistics/hodges_lehmann.hpp"

#include <gtest/gtest.h>

#include <vector>

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

TEST(hodges_lehmann, needs_both_samples) {
  EXPECT_FALSE(hodges_lehmann({}, sample{1}));
  EXPECT_FALSE(hodges_lehmann(sample{1}, {}));
  EXPECT_EQ(*hodges_lehmann(sample{1}, sample{4}), 3);
}

}  // namespace
}  // namespace dbdyno::results
