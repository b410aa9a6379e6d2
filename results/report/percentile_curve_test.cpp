#include "results/report/percentile_curve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

using namespace dbdyno::results;
using testing::Each;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

histogram steps(std::uint64_t count) {
  histogram h;
  for (std::uint64_t i = 1; i <= count; ++i) h.record(i * 100);
  return h;
}

TEST(PercentileCurve, HasTheHistogramsPercentilesAtEveryDecade) {
  const auto h = steps(2'000'000);
  const auto curve = percentile_curve(h);
  ASSERT_THAT(curve, SizeIs(curve_points));
  EXPECT_EQ(curve[11], h.percentile(90));
  EXPECT_EQ(curve[22], h.percentile(99));
  EXPECT_EQ(curve[33], h.percentile(99.9));
  EXPECT_EQ(curve[44], h.percentile(99.99));
  EXPECT_EQ(curve[55], h.percentile(99.999));
  EXPECT_TRUE(std::is_sorted(curve.begin(), curve.end()));
}

TEST(PercentileCurve, EndsWhereTooFewDurationsComeAfter) {
  EXPECT_THAT(percentile_curve({}), IsEmpty());
  EXPECT_THAT(percentile_curve(steps(10)), IsEmpty());
  EXPECT_THAT(percentile_curve(steps(1000)), SizeIs(23));  // to 99 %
  EXPECT_THAT(percentile_curve(steps(999)), SizeIs(22));
}

TEST(PercentileCurve, OfOneDurationIsFlat) {
  histogram h;
  h.record(5'000, 100'000'000);
  EXPECT_THAT(percentile_curve(h), SizeIs(curve_points));
  EXPECT_THAT(percentile_curve(h), Each(h.percentile(50).value()));
}

}  // namespace
