#include "results/statistics/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
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

TEST(Moments, AreTheCertifiedOnesOfNist) {
  // NIST's Statistical Reference Datasets, univariate summary statistics: NumAcc1 to NumAcc4.
  const sample first = {10'000'001, 10'000'003, 10'000'002};
  EXPECT_EQ(results::mean(first).value(), 10'000'002);
  EXPECT_EQ(results::standard_deviation(first).value(), 1);
  for (const auto& [whole, tolerance] : {std::pair{1.0, 1e-15}, std::pair{1e6, 1e-9}, std::pair{1e7, 1e-8}}) {
    sample values = {whole + 0.2};
    for (int i = 0; i < 1000; ++i) values.push_back(whole + (i % 2 == 0 ? 0.1 : 0.3));
    EXPECT_NEAR(results::mean(values).value(), whole + 0.2, 1e-13 * whole);
    EXPECT_NEAR(results::standard_deviation(values).value(), 0.1, tolerance);
  }
}

TEST(Moments, CoefficientOfVariationNeedsAMean) {
  EXPECT_FALSE(results::coefficient_of_variation(sample{-1, 1}));
  EXPECT_DOUBLE_EQ(results::coefficient_of_variation(sample{-2, -4}).value(), std::sqrt(2.0) / 3);
}

}  // namespace
