#include "results/plan_hash.hpp"

#include <gtest/gtest.h>

using dbdyno::results::plan_hash;

namespace {

// Source: the test vectors published with the FNV reference code.
TEST(PlanHash, EqualsThePublishedVectors) {
  EXPECT_EQ(plan_hash(""), "cbf29ce484222325");
  EXPECT_EQ(plan_hash("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(plan_hash("foobar"), "85944171f73967e8");
}

TEST(PlanHash, TakesBytesAsUnsigned) {
  EXPECT_EQ(plan_hash("\xFF"), "af64724c8602eb6e");
}

}  // namespace
