#include "results/statistics/interval.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace dbdyno::results {
namespace {

TEST(mean_interval, is_students) {
  const std::vector<double> values{1, 2, 3, 4, 5};
  const auto estimate = mean_interval(values);
  ASSERT_TRUE(estimate);
  EXPECT_DOUBLE_EQ(estimate->mean, 3);
  // 2.776 x 1.5811 / sqrt(5)
  EXPECT_NEAR(estimate->high - 3, 1.963, 0.001);
  EXPECT_NEAR(3 - estimate->low, 1.963, 0.001);
  EXPECT_FALSE(estimate->contains_zero());
}

TEST(mean_interval, needs_two_values) {
  EXPECT_FALSE(mean_interval(std::vector<double>{1}));
  EXPECT_FALSE(mean_interval(std::vector<double>{}));
}

TEST(mean_interval, contains_zero_where_the_values_cannot_tell) {
  EXPECT_TRUE(mean_interval(std::vector<double>{-1, 1.1, -0.9, 1})->contains_zero());
  EXPECT_FALSE(mean_interval(std::vector<double>{-1, -1.1, -0.9, -1})->contains_zero());
}

TEST(mean_interval, covers_the_truth_as_often_as_it_says) {
  for (const std::size_t size : {2U, 5U, 31U, 40U}) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(10, 3);
    int covered = 0;
    constexpr int samples = 20'000;
    for (int i = 0; i < samples; ++i) {
      std::vector<double> values(size);
      for (double& value : values) value = noise(random);
      const auto estimate = *mean_interval(values);
      covered += estimate.low <= 10 && estimate.high >= 10;
    }
    EXPECT_NEAR(static_cast<double>(covered) / samples, 0.95, 0.006) << size;
  }
}

}  // namespace
}  // namespace dbdyno::results
