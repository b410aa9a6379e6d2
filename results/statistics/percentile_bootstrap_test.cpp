#include "results/statistics/percentile_bootstrap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "results/statistics/synthetic.hpp"

namespace dbdyno::results {
namespace {

/// The durations of one repetition: log-normal about 20 us, all of them longer by `shift`, with a share of
/// stalls.
counted_durations repetition(double shift, double stalls) {
  counted_durations out;
  std::uint64_t seen = 0;
  for (int i = 0; i < 600; ++i) {
    const double x = (i - 150) * 0.006;
    const double below = (1 - stalls) * normal_cdf((x - shift) / 0.2) + stalls * normal_cdf((x - 1.5) / 0.4);
    const auto count = static_cast<std::uint64_t>(below * 100'000);
    if (count == seen) continue;
    out.values.push_back(static_cast<std::uint64_t>(20'000 * std::exp(x)));
    out.cumulative.push_back(seen = count);
  }
  return out;
}

merged_durations cell(synthetic& random, std::size_t repetitions, double shift) {
  std::vector<counted_durations> out;
  for (std::size_t i = 0; i < repetitions; ++i)
    out.push_back(repetition(shift + 0.03 * random.normal(), 0.005 * std::exp(0.7 * random.normal())));
  return merged_durations(out);
}

TEST(bootstrap_percentile, estimates_the_ratio_of_the_merged_percentiles) {
  synthetic random(3);
  const merged_durations first = cell(random, 5, 0);
  const merged_durations second = cell(random, 5, 0.5);
  for (const double percent : {50.0, 99.0, 99.9}) {
    const auto estimate = bootstrap_percentile(first, second, percent);
    ASSERT_TRUE(estimate);
    EXPECT_DOUBLE_EQ(estimate->difference, std::log(static_cast<double>(*second.percentile(percent))) -
                                               std::log(static_cast<double>(*first.percentile(percent))));
    EXPECT_LT(estimate->low, estimate->difference);
    EXPECT_GT(estimate->high, estimate->difference);
    EXPECT_EQ(estimate, bootstrap_percentile(first, second, percent));
  }
  EXPECT_GT(bootstrap_percentile(first, second, 50)->low, 0.4);
}

TEST(bootstrap_percentile, covers_the_truth_as_often_as_it_says) {
  for (const std::size_t size : {2U, 3U, 5U, 10U})
    for (const double percent : {50.0, 99.9}) {
      synthetic random(5);
      int covered = 0;
      constexpr int pairs = 300;
      for (int i = 0; i < pairs; ++i) {
        const merged_durations first = cell(random, size, 0);
        const merged_durations second = cell(random, size, 0);
        covered += bootstrap_percentile(first, second, percent, {.seed = static_cast<std::uint64_t>(i)})
                       ->contains_zero();
      }
      EXPECT_GE(covered, 0.91 * pairs) << size << ' ' << percent;
      EXPECT_LE(covered, 0.99 * pairs) << size << ' ' << percent;
    }
}

TEST(bootstrap_percentile, of_equal_repetitions_has_no_width) {
  const merged_durations durations(std::vector(4, repetition(0, 0)));
  EXPECT_EQ(*bootstrap_percentile(durations, durations, 99), difference_estimate{});
}

TEST(bootstrap_percentile, knows_nothing_shorter_than_a_nanosecond) {
  const merged_durations none(std::vector(2, counted_durations{{0}, {9}}));
  const merged_durations some(std::vector(2, counted_durations{{100}, {9}}));
  EXPECT_DOUBLE_EQ(bootstrap_percentile(none, some, 50)->difference, std::log(100.0));
}

TEST(bootstrap_percentile, needs_two_repetitions_with_durations) {
  const merged_durations one(std::vector{repetition(0, 0), counted_durations{}});
  const merged_durations two(std::vector(2, repetition(0, 0)));
  EXPECT_FALSE(bootstrap_percentile(one, two, 50));
  EXPECT_FALSE(bootstrap_percentile(two, one, 50));
}

}  // namespace
}  // namespace dbdyno::results
