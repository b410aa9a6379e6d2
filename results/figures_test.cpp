#include "results/figures.hpp"

#include <gtest/gtest.h>

namespace dbdyno::results {
namespace {

TEST(figures, group_digits_by_three) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1000), "1,000");
  EXPECT_EQ(with_thousands(18446744073709551615U), "18,446,744,073,709,551,615");
  EXPECT_EQ(whole(999.5), "1,000");
}

TEST(figures, take_the_unit_that_leaves_three_digits) {
  EXPECT_EQ(as_time(0), "0 ns");
  EXPECT_EQ(as_time(999.4), "999 ns");
  EXPECT_EQ(as_time(999.5), "1 us");
  EXPECT_EQ(as_time(12'345), "12.3 us");
  EXPECT_EQ(as_time(999.5e3), "1 ms");
  EXPECT_EQ(as_time(999.4e6), "999 ms");
  EXPECT_EQ(as_time(75e9), "75 s");
  EXPECT_EQ(as_time(std::nullopt), "-");
}

}  // namespace
}  // namespace dbdyno::results
