#include "results/statistics/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace results = dbdyno::results;

namespace {

using sample = std::vector<double>;

TEST(Moments, KnownAnswers) {
  const sample values = {4, 2, 5, 7, 4, 5, 9, 4};
  EXPECT_DOUBLE_EQ(results::mean(values).value(), 5);
  EXPECT_DOUBLE_EQ(results::median(values).value(), 4.5);
  EXPECT_DOUBLE_EQ(results::minimum(values).value(), 2);
  EXPECT_DOUBLE_EQ(results::maximum(values).value(), 9);
  EXPECT_DOUBLE_EQ(results::standard_deviation(values).value(), std::sqrt(32.0 / 7));
  EXPECT_DOUBLE_EQ(results::coefficient_of_variation(values).value(), std::sqrt(32.0 / 7) / 5);
}

TEST(Moments, MedianOfAnOddCountIsTheMiddleValue) {
  EXPECT_DOUBLE_EQ(results::median(sample{9, 1, 2}).value(), 2);
}

TEST(Moments, NothingFollowsFromNoValues) {
  EXPECT_FALSE(results::mean({}));
  EXPECT_FALSE(results::median({}));
  EXPECT_FALSE(results::minimum({}));
  EXPECT_FALSE(results::maximum({}));
  EXPECT_FALSE(results::standard_deviation({}));
  EXPECT_FALSE(results::coefficient_of_variation({}));
}

TEST(Moments, OneValueHasNoSpread) {
  EXPECT_DOUBLE_EQ(results::median(sample{3}).value(), 3);
  EXPECT_FALSE(results::standard_deviation(sample{3}));
  EXPECT_FALSE(results::coefficient_of_variation(sample{3}));
}

TEST(Moments, SmallSpreadBesideALargeMeanIsKept) {
  EXPECT_DOUBLE_EQ(results::standard_deviation(sample{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}).value(),
                   std::sqrt(30.0));
}

TEST(Moments, CoefficientOfVariationNeedsAMean) {
  EXPECT_FALSE(results::coefficient_of_variation(sample{-1, 1}));
  EXPECT_DOUBLE_EQ(results::coefficient_of_variation(sample{-2, -4}).value(), std::sqrt(2.0) / 3);
}

}  // namespace
