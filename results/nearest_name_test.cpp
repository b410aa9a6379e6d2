#include "results/nearest_name.hpp"

#include <gtest/gtest.h>

using namespace dbdyno::results;

namespace {

TEST(nearest_name, counts_slips) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("filtre", "filter"), 2U);
}

TEST(nearest_name, is_the_one_with_the_fewest_slips_if_they_are_few) {
  const std::vector<std::string> known{"--baseline", "--by", "--margin"};
  EXPECT_EQ(nearest_name("--baselin", known), "--baseline");
  EXPECT_EQ(nearest_name("--bye", known), "--by");
  EXPECT_EQ(nearest_name("--marge", known), "--margin");
  EXPECT_EQ(nearest_name("--quantum", known), "");
  EXPECT_EQ(nearest_name("--x", known), "") << "two slips are most of it";
  EXPECT_EQ(nearest_name("--by", {}), "");
}

}  // namespace
