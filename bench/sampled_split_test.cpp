#include "bench/sampled_split.hpp"

#include <gtest/gtest.h>

namespace dbdyno {
namespace {

using std::chrono::seconds;

constexpr sampled_split before{seconds(10), seconds(5)};

TEST(SampledSplit, IsAbsentBelowItsShortestWindow) {
  const sampled_split after{seconds(11), seconds(7)};
  EXPECT_FALSE(split_between(before, after, min_split_window - std::chrono::nanoseconds(1)).has_value());
  const auto split = split_between(before, after, min_split_window);
  ASSERT_TRUE(split.has_value());
  EXPECT_EQ(split->user, seconds(1));
  EXPECT_EQ(split->system, seconds(2));
}

TEST(SampledSplit, IsAbsentWhereAReadingLacksItOrGoesBackwards) {
  const sampled_split less_system{seconds(11), seconds(4)};
  const sampled_split less_user{seconds(9), seconds(6)};
  EXPECT_FALSE(split_between(before, less_system, seconds(3)).has_value());
  EXPECT_FALSE(split_between(before, less_user, seconds(3)).has_value());
  EXPECT_FALSE(split_between(before, std::nullopt, seconds(3)).has_value());
  EXPECT_FALSE(split_between(std::nullopt, before, seconds(3)).has_value());
}

}  // namespace
}  // namespace dbdyno
