#include "results/statistics/between_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "results/statistics/synthetic.hpp"

namespace dbdyno::results {
namespace {

using runs = std::vector<std::vector<double>>;

TEST(learn_between_runs, splits_the_variance) {
  // Two runs of two: the square between is 4, within 0.02. With 1 degree of freedom a third of all estimates
  // of a variance are below 0.1855 of it: scipy 1.10.1, chi2.ppf(1 / 3, 1).
  const auto spread = learn_between_runs(runs{{-0.9, -1.1}, {0.9, 1.1}});
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->freedom, 1);
  EXPECT_NEAR(spread->deviation * spread->deviation, (4 / 0.1855 - 0.02) / 2, 0.3);
}

TEST(learn_between_runs, of_unlike_sizes) {
  // By hand: means 1, 4 and 2 of 4, 2 and 1 values about 2, squares between 4 + 8 + 0 with 2 degrees of
  // freedom, within (2 + 2) / 4, typical size (7 - 21 / 7) / 2 = 2. Without the bound, 0.4055 as above, it
  // would be (6 - 1) / 2.
  const auto spread = learn_between_runs(runs{{0, 2, 1, 1}, {3, 5}, {2}});
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->freedom, 2);
  EXPECT_NEAR(spread->deviation * spread->deviation, (6 / 0.4055 - 1) / 2, 0.2);
}

TEST(learn_between_runs, is_an_upper_bound_two_times_in_three) {
  synthetic random(17);
  int above = 0;
  constexpr int families = 4'000;
  for (int i = 0; i < families; ++i) {
    runs earlier;
    for (int run = 0; run < 8; ++run) earlier.push_back(random.logarithms(10, 0.01 * random.normal(), 0.03));
    above += learn_between_runs(earlier)->deviation >= 0.01;
  }
  EXPECT_NEAR(static_cast<double>(above) / families, 2.0 / 3, 0.025);
}

TEST(learn_between_runs, is_none_where_repetitions_explain_it) {
  const auto spread = learn_between_runs(runs{{1, 5, 3}, {2, 4, 3}, {3, 1, 5}});
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->deviation, 0);
  EXPECT_EQ(spread->freedom, 2);
}

TEST(learn_between_runs, takes_all_spread_of_single_repetitions) {
  // A variance of 1 from 2 degrees of freedom.
  const auto spread = learn_between_runs(runs{{1}, {2}, {3}});
  ASSERT_TRUE(spread);
  EXPECT_NEAR(spread->deviation * spread->deviation, 1 / 0.4055, 0.1);
}

TEST(learn_between_runs, needs_two_runs) {
  EXPECT_FALSE(learn_between_runs({}));
  EXPECT_FALSE(learn_between_runs(runs{{1, 2, 3}}));
  EXPECT_FALSE(learn_between_runs(runs{{1, 2, 3}, {}}));
}

TEST(widen, combines_each_side_in_quadrature) {
  const between_run_spread spread{0.01, 7};
  const double half = between_run_half_width(spread);
  EXPECT_NEAR(half, 2.364624 * std::sqrt(2.0) * 0.01, 1e-7);
  const difference_estimate wide = widen({0.1, 0.07, 0.14}, spread);
  EXPECT_EQ(wide.difference, 0.1);
  EXPECT_NEAR(wide.low, 0.1 - std::sqrt(0.03 * 0.03 + half * half), 1e-12);
  EXPECT_NEAR(wide.high, 0.1 + std::sqrt(0.04 * 0.04 + half * half), 1e-12);
}

TEST(widen, by_nothing_changes_nothing) {
  const difference_estimate narrow = widen({0.1, 0.07, 0.14}, {0, 3});
  EXPECT_NEAR(narrow.low, 0.07, 1e-15);
  EXPECT_NEAR(narrow.high, 0.14, 1e-15);
}

}  // namespace
}  // namespace dbdyno::results
