#include "results/statistics/repetitions_needed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "results/statistics/mann_whitney.hpp"

namespace dbdyno::results {
namespace {

using sample = std::vector<double>;

/// Known so well that it is hardly an estimate.
constexpr double well_known = 1e6;

TEST(repetitions_needed, is_the_textbooks_number_where_the_noise_is_known) {
  // 2 (1.960 + 1.645)^2 (s / d)^2, divided by the test's efficiency of 3 / pi: 983.5 for a ratio of 1 / 8.5.
  const double change = 0.05;
  const double deviation = 6.0 * std::log1p(change);
  const auto needed = repetitions_needed({deviation, well_known}, {.change = change});
  ASSERT_TRUE(needed);
  EXPECT_NEAR(static_cast<double>(*needed), 2 * std::pow(1.959964 + 1.644854, 2) * 36 * 3.14159 / 3, 6);
}

TEST(repetitions_needed, grows_with_the_noise_the_family_and_the_doubt) {
  const auto needed = [](double deviation, double freedom, double level, double change = 0.05) {
    return repetitions_needed({deviation, freedom}, {.change = change, .level = level}).value();
  };
  EXPECT_GT(needed(0.06, 8, 0.05), needed(0.03, 8, 0.05));
  EXPECT_GT(needed(0.03, 8, 0.05 / 20), needed(0.03, 8, 0.05));
  EXPECT_GT(needed(0.03, 2, 0.05), needed(0.03, 8, 0.05));
  EXPECT_GT(needed(0.03, 8, 0.05), needed(0.03, 200, 0.05));
  EXPECT_GT(needed(0.03, 8, 0.05, 0.02), needed(0.03, 8, 0.05));
}

TEST(repetitions_needed, is_never_too_few_for_the_test_to_find_anything) {
  for (const double family : {1.0, 2.0, 10.0, 100.0, 1e6}) {
    const auto needed = repetitions_needed({0, 8}, {.level = 0.05 / family});
    ASSERT_TRUE(needed);
    EXPECT_LT(least_p(*needed, *needed), 0.05 / family);
    EXPECT_GE(least_p(*needed - 1, *needed - 1), 0.05 / family) << family;
  }
  EXPECT_EQ(repetitions_needed({0, 8}), 4);
}

TEST(repetitions_needed, no_number_would_do_where_runs_differ_by_as_much) {
  const noise_estimate noise{0.03, 8};
  EXPECT_FALSE(repetitions_needed(noise, {}, between_run_spread{0.02, 7}));
  // The change must be worth t * sqrt(2) * tau and what the difference of the runs themselves may hide.
  const double limit = std::log(1.05) / ((2.364624 + 1.644854) * std::sqrt(2.0));
  EXPECT_FALSE(repetitions_needed(noise, {}, between_run_spread{limit * 1.001, 7}));
  EXPECT_TRUE(repetitions_needed(noise, {}, between_run_spread{limit * 0.99, 7}));
}

TEST(repetitions_needed, more_where_runs_differ_a_little) {
  const noise_estimate noise{0.03, 8};
  EXPECT_GT(*repetitions_needed(noise, {}, between_run_spread{0.005, 7}), *repetitions_needed(noise));
  EXPECT_EQ(repetitions_needed(noise, {}, between_run_spread{0, 7}), repetitions_needed(noise));
}

TEST(repetitions_needed, no_change_is_never_found) {
  EXPECT_FALSE(repetitions_needed({0.03, 8}, {.change = 0}));
}

TEST(pooled_noise, is_about_each_samples_own_mean) {
  // Squares of 2 and 8 with 2 degrees of freedom each.
  const auto noise = pooled_noise(sample{1, 2, 3}, sample{100, 102, 104});
  ASSERT_TRUE(noise);
  EXPECT_NEAR(noise->deviation, std::sqrt(2.5), 1e-12);
  EXPECT_EQ(noise->freedom, 4);
}

TEST(pooled_noise, needs_two_values_in_one) {
  EXPECT_FALSE(pooled_noise(sample{1}, sample{2}));
  EXPECT_FALSE(pooled_noise({}, {}));
  const auto noise = pooled_noise(sample{7}, sample{1, 3});
  ASSERT_TRUE(noise);
  EXPECT_NEAR(noise->deviation, std::sqrt(2.0), 1e-12);
  EXPECT_EQ(noise->freedom, 1);
}

}  // namespace
}  // namespace dbdyno::results
