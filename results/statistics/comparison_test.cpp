#include "results/statistics/comparison.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace dbdyno::results {
namespace {

using sample = std::vector<double>;

const sample base{100, 102, 98, 101, 99, 100.5};

sample times(const sample& values, double factor) {
  sample out = values;
  for (double& value : out) value *= factor;
  return out;
}

TEST(compare_samples, states_ratios) {
  const auto comparison = compare_samples(base, times(base, 1.25));
  ASSERT_TRUE(comparison);
  EXPECT_TRUE(comparison->ratios);
  EXPECT_NEAR(comparison->first, 100.075, 0.01);
  EXPECT_NEAR(comparison->second, 1.25 * comparison->first, 1e-9);
  EXPECT_NEAR(comparison->estimate, 1.25, 1e-12);
  EXPECT_NEAR(comparison->shift, 1.25, 1e-12);
  EXPECT_LT(*comparison->low, 1.25);
  EXPECT_GT(*comparison->low, 1.2);
  EXPECT_GT(*comparison->high, 1.25);
  EXPECT_LT(*comparison->high, 1.3);
  EXPECT_EQ(comparison->test.u, 0);
  EXPECT_NEAR(comparison->test.p, 2.0 / 924, 1e-12);
  EXPECT_EQ(comparison->noise->freedom, 10);
  EXPECT_NEAR(comparison->noise->deviation, 0.0143, 0.0005);
}

TEST(compare_samples, is_wider_for_runs_that_stood_apart) {
  const auto one_run = *compare_samples(base, times(base, 1.02));
  const auto apart = *compare_samples(base, times(base, 1.02), {.between = between_run_spread{0.02, 7}});
  EXPECT_LT(*apart.low, *one_run.low);
  EXPECT_GT(*apart.high, *one_run.high);
  EXPECT_EQ(apart.estimate, one_run.estimate);
  EXPECT_EQ(apart.test.p, one_run.test.p);
}

TEST(compare_samples, takes_plain_differences_where_values_are_not_positive) {
  const auto comparison = *compare_samples(sample{0, 1, 2, 1}, sample{10, 11, 12, 11});
  EXPECT_FALSE(comparison.ratios);
  EXPECT_EQ(comparison.estimate, 10);
  EXPECT_EQ(comparison.shift, 10);
  EXPECT_GT(*comparison.low, 5);
  EXPECT_LT(*comparison.high, 15);
  EXPECT_EQ(decide(comparison, 0.03, 0.05), outcome::higher);
  EXPECT_EQ(decide(*compare_samples(sample{10, 11, 12, 11}, sample{0, 1, 2, 1}), 0.03, 0.05), outcome::lower);
}

TEST(compare_samples, nothing_and_nothing_are_the_same) {
  const auto comparison = *compare_samples(sample{0, 0, 0}, sample{0, 0, 0});
  EXPECT_EQ(comparison.test.p, 1);
  EXPECT_FALSE(comparison.noise);
  EXPECT_EQ(decide(comparison, 1, 0.05), outcome::same);
  EXPECT_EQ(decide(*compare_samples(sample{0, 0, 0}, sample{1, 1, 1}), 0.1, 0.05), outcome::cannot_tell);
}

TEST(compare_samples, of_one_repetition_has_no_range) {
  const auto comparison = compare_samples(sample{100}, base);
  ASSERT_TRUE(comparison);
  EXPECT_FALSE(comparison->low);
  EXPECT_FALSE(comparison->high);
  EXPECT_EQ(decide(*comparison, 0, 0.05), outcome::cannot_tell);
  EXPECT_FALSE(compare_samples({}, base));
  EXPECT_FALSE(compare_samples(base, {}));
}

TEST(compare_samples, of_equal_counts_that_rounding_touches_is_the_same) {
  const auto comparison = *compare_samples(sample(5, 3.3), sample(7, 3.3));
  EXPECT_EQ(comparison.test.p, 1);
  EXPECT_EQ(decide(comparison, 1, 0.001), outcome::same);
}

TEST(compare_percentiles, compares_what_all_repetitions_say_together) {
  const auto repetitions = [](std::uint64_t nanoseconds) {
    std::vector<counted_durations> out;
    for (std::uint64_t i = 0; i < 5; ++i)
      out.push_back({{nanoseconds + 10 * i, 4 * nanoseconds + 10 * i}, {990, 1000}});
    return merged_durations(out);
  };
  const auto comparison = compare_percentiles(repetitions(1000), repetitions(1500), 50);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->first, 1020);
  EXPECT_EQ(comparison->second, 1520);
  EXPECT_NEAR(comparison->estimate, 1520.0 / 1020, 1e-12);
  EXPECT_NEAR(comparison->shift, 1520.0 / 1020, 0.01);
  EXPECT_EQ(comparison->test.u, 0);
  EXPECT_EQ(comparison->noise->freedom, 8);
  EXPECT_EQ(decide(*comparison, comparison->test.p, 0.05), outcome::higher);
  EXPECT_EQ(compare_percentiles(repetitions(1000), repetitions(1500), 99.5)->first, 4020);
  EXPECT_FALSE(compare_percentiles(merged_durations({}), repetitions(1000), 50));
}

struct range {
  double low, high;
};

outcome word(range of, double p, double limit = 0.05) {
  two_sample_comparison comparison;
  comparison.low = of.low;
  comparison.high = of.high;
  return decide(comparison, p, limit);
}

TEST(decide, needs_both_the_test_and_the_range) {
  EXPECT_EQ(word({1.01, 1.2}, 0.049), outcome::higher);
  EXPECT_EQ(word({0.8, 0.99}, 0.049), outcome::lower);
  EXPECT_EQ(word({1.01, 1.2}, 0.05), outcome::cannot_tell);
  EXPECT_EQ(word({0.99, 1.2}, 0.001), outcome::cannot_tell);
  EXPECT_EQ(word({1, 1.2}, 0.001), outcome::cannot_tell);
}

TEST(decide, the_same_is_a_claim_of_its_own) {
  EXPECT_EQ(word({0.97, 1.04}, 0.5), outcome::same);
  EXPECT_EQ(word({0.97, 1.06}, 0.5), outcome::cannot_tell);
  EXPECT_EQ(word({0.94, 1.04}, 0.5), outcome::cannot_tell);
  EXPECT_EQ(word({0.953, 1.049}, 0.5), outcome::same);
  EXPECT_EQ(word({0.951, 1.049}, 0.5), outcome::cannot_tell);
  // A small change that is certain is a change.
  EXPECT_EQ(word({1.001, 1.002}, 0.01), outcome::higher);
  EXPECT_EQ(word({1.001, 1.002}, 0.2), outcome::same);
}

}  // namespace
}  // namespace dbdyno::results
