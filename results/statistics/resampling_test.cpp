#include "results/statistics/resampling.hpp"

#include <gtest/gtest.h>

#include <array>

namespace dbdyno::results {
namespace {

TEST(resampling, is_splitmix64) {
  // The first outputs of the reference implementation, prng.di.unimi.it/splitmix64.c, from 1234567.
  resampling random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
}

TEST(resampling, draws_all_below_the_bound_alike) {
  resampling random(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts.at(random.below(7));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);
}

TEST(resampling, shares_are_between_none_and_all) {
  resampling random(1);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double share = random.share();
    EXPECT_GT(share, 0);
    EXPECT_LT(share, 1);
    sum += share;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

}  // namespace
}  // namespace dbdyno::results
