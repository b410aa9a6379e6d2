#include "bench/error_budget.hpp"

#include <gtest/gtest.h>

namespace dbdyno {
namespace {

TEST(error_budget, is_spent_by_the_first_error_beyond_it) {
  error_budget budget({.requests = 2});
  EXPECT_TRUE(budget.spend());
  EXPECT_TRUE(budget.spend());
  EXPECT_FALSE(budget.exceeded(3));
  EXPECT_FALSE(budget.spend());
  EXPECT_TRUE(budget.exceeded(3));
}

TEST(error_budget, is_a_share_of_all_requests_where_their_number_is_known_beforehand) {
  error_budget budget({.percent = 0.5}, 1000);
  EXPECT_TRUE(budget.spend(5));
  EXPECT_FALSE(budget.spend());
}

TEST(error_budget, judges_a_share_of_an_unknown_number_at_the_end) {
  error_budget budget({.percent = 0.5});
  EXPECT_TRUE(budget.spend(6));
  EXPECT_FALSE(budget.exceeded(1200));
  EXPECT_TRUE(budget.exceeded(1199));
}

}  // namespace
}  // namespace dbdyno
