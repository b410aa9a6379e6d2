#include "results/statistics/holm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace dbdyno::results {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

auto near(double value) {
  return DoubleNear(value, 1e-12);
}

TEST(holm, steps_down) {
  // The example of Wikipedia's "Holm-Bonferroni method": at 0.05 the first and the last are found, and with
  // them no more, though 0.03 alone would be; as R's p.adjust(p, "holm").
  EXPECT_THAT(holm(std::vector{0.01, 0.04, 0.03, 0.005}),
              ElementsAre(near(0.03), near(0.06), near(0.06), near(0.02)));
}

TEST(holm, never_falls_and_stops_at_one) {
  EXPECT_THAT(holm(std::vector{0.6, 0.9}), ElementsAre(1, 1));
  EXPECT_THAT(holm(std::vector{0.02, 0.021, 0.5, 0.6}),
              ElementsAre(near(0.08), near(0.08), near(1), near(1)));
}

TEST(holm, ties_are_alike) {
  EXPECT_THAT(holm(std::vector{0.01, 0.01, 0.01}), ElementsAre(near(0.03), near(0.03), near(0.03)));
}

TEST(holm, one_test_is_no_family) {
  EXPECT_THAT(holm(std::vector{0.04}), ElementsAre(0.04));
  EXPECT_THAT(holm({}), ElementsAre());
}

}  // namespace
}  // namespace dbdyno::results
