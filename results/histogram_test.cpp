#include "results/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using dbdyno::results::histogram;

namespace {

constexpr std::uint64_t highest = histogram::highest;

TEST(Histogram, HasHdrHistogramsLayout) {
  // countsArrayIndex, lowestEquivalentValue and highestEquivalentValue of HdrHistogram at 1 .. 60e9, 3
  // digits.
  const struct {
    std::uint64_t duration;
    std::size_t index;
    std::uint64_t lowest;
    std::uint64_t highest;
  } known[] = {{0, 0, 0, 0},
               {1, 1, 1, 1},
               {2047, 2047, 2047, 2047},
               {2048, 2048, 2048, 2049},
               {2049, 2048, 2048, 2049},
               {2050, 2049, 2050, 2051},
               {4095, 3071, 4094, 4095},
               {4096, 3072, 4096, 4099},
               {highest, 27388, 59'995'324'416, 60'028'878'847}};
  for (const auto& [duration, index, lowest, last] : known) {
    EXPECT_EQ(histogram::index_of(duration), index) << duration;
    EXPECT_EQ(histogram::lowest_at(index), lowest) << duration;
    EXPECT_EQ(histogram::highest_at(index), last) << duration;
  }
  EXPECT_EQ(histogram::highest_at(histogram::size - 1), (std::uint64_t{2048} << 25) - 1);
  EXPECT_EQ(histogram::middle_at(2047), 2047U);
  EXPECT_EQ(histogram::middle_at(2048), 2049U);
  EXPECT_EQ(histogram::middle_at(3072), 4098U);
}

TEST(Histogram, BucketsTileTheRangeAndAreAThousandthWideAtMost) {
  std::uint64_t next = 0;
  for (std::size_t index = 0; index < histogram::size; ++index) {
    ASSERT_EQ(histogram::lowest_at(index), next);
    ASSERT_EQ(histogram::index_of(histogram::lowest_at(index)), index);
    ASSERT_EQ(histogram::index_of(histogram::highest_at(index)), index);
    next = histogram::highest_at(index) + 1;
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t duration = (random() >> (random() % 64)) % (highest + 1);
    const std::size_t index = histogram::index_of(duration);
    ASSERT_LE(histogram::lowest_at(index), duration);
    ASSERT_GE(histogram::highest_at(index), duration);
    ASSERT_LE((histogram::highest_at(index) - histogram::lowest_at(index)) * 1000, duration) << duration;
  }
}

TEST(Histogram, IsEmptyAtFirstAndAfterClear) {
  histogram h;
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(h.empty());
    EXPECT_EQ(h.count(), 0U);
    EXPECT_EQ(h.max(), 0U);
    EXPECT_EQ(h.sum(), 0U);
    EXPECT_EQ(h.clamped(), 0U);
    EXPECT_FALSE(h.mean());
    EXPECT_FALSE(h.percentile(50));
    EXPECT_FALSE(h.supported_percentile(50, 0));
    EXPECT_TRUE(h == histogram());
    h.record(3);
    h.record(highest + 1);
    h.clear();
  }
}

TEST(Histogram, CountsSumMeanAndMaximumAreExact) {
  histogram h;
  h.record(1'000'003);
  h.record(2, 3);
  h.record(0);
  EXPECT_EQ(h.count(), 5U);
  EXPECT_EQ(h.count_at(2), 3U);
  EXPECT_EQ(h.count_at(histogram::index_of(1'000'003)), 1U);
  EXPECT_EQ(h.sum(), 1'000'009U);
  EXPECT_EQ(h.max(), 1'000'003U);
  EXPECT_DOUBLE_EQ(h.mean().value(), 200'001.8);
  EXPECT_FALSE(h.empty());
}

TEST(Histogram, DurationsBeyondTheRangeAreClampedAndCountedAndTheMaximumStaysExact) {
  histogram h;
  h.record(highest);
  EXPECT_EQ(h.clamped(), 0U);
  h.record(highest + 1);
  h.record(90'000'000'001, 2);
  EXPECT_EQ(h.clamped(), 3U);
  EXPECT_EQ(h.count_at(histogram::index_of(highest)), 4U);
  EXPECT_EQ(h.max(), 90'000'000'001U);
  EXPECT_EQ(h.sum(), 2 * highest + 1 + 2 * 90'000'000'001U);
  EXPECT_EQ(h.percentile(100), 60'028'878'847U);
}

TEST(Histogram, MergingIsRecordingBothInOne) {
  std::mt19937_64 random(2);
  histogram a;
  histogram b;
  histogram both;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t duration = random() >> (random() % 40 + 24);
    (i % 3 == 0 ? a : b).record(duration);
    both.record(duration);
  }
  b.record(highest * 2);
  both.record(highest * 2);
  a.merge(b);
  EXPECT_TRUE(a == both);
  a.merge(histogram());
  EXPECT_TRUE(a == both);
  histogram zeros;
  zeros.record(0, 7);
  a.merge(zeros);
  EXPECT_EQ(a.count_at(0), both.count_at(0) + 7);
  EXPECT_FALSE(a == both);
}

TEST(Histogram, PercentilesAreThoseOfTheSortedDurationsToTheBucket) {
  std::mt19937_64 random(3);
  histogram h;
  std::vector<std::uint64_t> sorted;
  for (int i = 0; i < 10'000; ++i) {
    sorted.push_back(random() >> (random() % 35 + 29));
    h.record(sorted.back());
  }
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [percent, rank] : {std::pair<double, std::size_t>{0.01, 1},
                                      {25, 2500},
                                      {50, 5000},
                                      {99, 9900},
                                      {99.9, 9990},
                                      {99.99, 9999},
                                      {100, 10'000}}) {
    const std::size_t index = histogram::index_of(sorted[rank - 1]);
    EXPECT_EQ(h.percentile(percent), histogram::highest_at(index)) << percent;
  }
  EXPECT_EQ(h.percentile(0), histogram::lowest_at(histogram::index_of(sorted.front())));
}

TEST(Histogram, PercentileZeroIsTheStartOfTheFirstBucketAndTheOthersAreEnds) {
  histogram h;
  h.record(5'000'000);
  const std::size_t index = histogram::index_of(5'000'000);
  EXPECT_EQ(h.percentile(0), histogram::lowest_at(index));
  EXPECT_EQ(h.percentile(1e-9), histogram::highest_at(index));
  EXPECT_EQ(h.percentile(100), histogram::highest_at(index));
}

TEST(Histogram, APercentileNeedsTenDurationsBeyondIt) {
  for (const auto& [percent, enough] :
       {std::pair<double, std::uint64_t>{50, 20}, {90, 100}, {99, 1000}, {99.9, 10'000}, {99.99, 100'000}}) {
    histogram h;
    h.record(7, enough - 1);
    EXPECT_FALSE(h.supported_percentile(percent)) << percent;
    h.record(7);
    EXPECT_EQ(h.supported_percentile(percent), 7U) << percent;
    EXPECT_FALSE(h.supported_percentile(percent, 11)) << percent;
    EXPECT_FALSE(h.supported_percentile(100)) << percent;
  }
}

}  // namespace
