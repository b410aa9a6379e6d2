#include "results/statistics/bootstrap.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "results/statistics/synthetic.hpp"

namespace dbdyno::results {
namespace {

using sample = std::vector<double>;

TEST(welch_difference, is_what_scipy_says) {
  // scipy 1.10.1: stats.ttest_ind(b, a, equal_var=False), and the interval from its statistic and Welch's
  // degrees of freedom.
  const auto estimate =
      welch_difference(sample{10.1, 9.8, 10.4, 10.0, 9.9}, sample{10.9, 11.5, 10.2, 12.0, 11.1, 10.7, 11.4});
  ASSERT_TRUE(estimate);
  EXPECT_NEAR(estimate->difference, 1.07428571429, 1e-9);
  EXPECT_NEAR(estimate->low, 0.513490319658, 1e-9);
  EXPECT_NEAR(estimate->high, 1.63508110891, 1e-9);
}

TEST(welch_difference, of_students_sleepers) {
  // Student, Biometrika 6 (1908) 20: hours of sleep gained with two drugs; R's example of t.test says
  // -3.3654832 to 0.2054832 for the first less the second.
  const auto estimate = welch_difference(sample{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
                                         sample{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4});
  ASSERT_TRUE(estimate);
  EXPECT_NEAR(estimate->difference, 1.58, 1e-12);
  EXPECT_NEAR(estimate->low, -0.2054832, 1e-7);
  EXPECT_NEAR(estimate->high, 3.3654832, 1e-7);
}

TEST(bootstrap_difference, depends_on_the_seed_alone) {
  const sample first{1, 2, 3, 4, 5};
  const sample second{3, 3.5, 4, 5, 7};
  const auto once = bootstrap_difference(first, second);
  EXPECT_EQ(once, bootstrap_difference(first, second));
  EXPECT_NE(once, bootstrap_difference(first, second, {.seed = 2}));
  ASSERT_TRUE(once);
  EXPECT_DOUBLE_EQ(once->difference, 1.5);
  // The same with every compiler and library. From the same steps written in Python.
  EXPECT_NEAR(once->low, -0.484555753427, 1e-9);
  EXPECT_NEAR(once->high, 4.12244027243, 1e-9);
}

TEST(bootstrap_difference, turns_about_with_the_samples_and_scales_with_them) {
  const sample first{1, 2, 3, 4, 6};
  const sample second{3, 3.5, 4, 5, 9};
  const bootstrap_options many{.resamples = 20'000};
  const auto there = *bootstrap_difference(first, second, many);
  const auto back = *bootstrap_difference(second, first, many);
  EXPECT_NEAR(there.low, -back.high, 0.15);
  EXPECT_NEAR(there.high, -back.low, 0.15);
  sample doubled = first;
  sample second_doubled = second;
  for (double& value : doubled) value *= 2;
  for (double& value : second_doubled) value *= 2;
  EXPECT_NEAR(bootstrap_difference(doubled, second_doubled, many)->low, 2 * there.low, 1e-9);
}

TEST(bootstrap_difference, covers_the_truth_as_often_as_it_says) {
  struct shape {
    std::size_t first, second;
    bool skewed;
  };
  for (const auto& [first, second, skewed] :
       {shape{2, 2, false}, shape{3, 3, false}, shape{4, 4, false}, shape{5, 5, false}, shape{10, 10, false},
        shape{4, 12, false}, shape{5, 5, true}, shape{10, 10, true}}) {
    synthetic random(11);
    int covered = 0;
    constexpr int pairs = 2'000;
    for (int i = 0; i < pairs; ++i) {
      sample a(first);
      sample b(second);
      for (double& value : a) value = skewed ? random.exponential() : random.normal();
      for (double& value : b) value = skewed ? random.exponential() : random.normal();
      covered += bootstrap_difference(a, b, {.seed = static_cast<std::uint64_t>(i)})->contains_zero();
    }
    EXPECT_GE(covered, 0.93 * pairs) << first << ' ' << second << ' ' << skewed;
    EXPECT_LE(covered, 0.985 * pairs) << first << ' ' << second << ' ' << skewed;
  }
}

TEST(bootstrap_difference, follows_skewed_samples) {
  // A long tail upwards in the second: its mean may lie far above, hardly far below.
  const sample first{1, 1.1, 0.9, 1.05, 0.95, 1, 1.02, 0.98};
  const sample second{2, 2.1, 2.05, 2, 2.02, 2.1, 2.3, 4};
  const auto estimate = *bootstrap_difference(first, second);
  EXPECT_GT(estimate.high - estimate.difference, 1.5 * (estimate.difference - estimate.low));
}

TEST(bootstrap_difference, is_welchs_where_resamples_tell_nothing) {
  const sample three{1, 2, 3};
  const sample more{4, 5, 6, 7};
  EXPECT_EQ(bootstrap_difference(three, more), welch_difference(three, more));
  const sample nearly_equal{1, 1, 1, 1, 1.1};
  EXPECT_EQ(bootstrap_difference(nearly_equal, nearly_equal), welch_difference(nearly_equal, nearly_equal));
}

TEST(bootstrap_difference, of_equal_values_has_no_width) {
  const auto estimate = *bootstrap_difference(sample{2, 2, 2, 2}, sample{3, 3, 3, 3, 3});
  EXPECT_EQ(estimate, (difference_estimate{1, 1, 1}));
}

TEST(bootstrap_difference, needs_two_values_each) {
  EXPECT_FALSE(bootstrap_difference(sample{1}, sample{1, 2, 3}));
  EXPECT_FALSE(bootstrap_difference(sample{1, 2, 3}, {}));
}

}  // namespace
}  // namespace dbdyno::results
