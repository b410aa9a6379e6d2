#include "results/statistics/merged_durations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "results/histogram.hpp"
#include "results/statistics/resampling.hpp"

namespace dbdyno::results {
namespace {

using testing::ElementsAre;

TEST(count_durations, keeps_what_is_there) {
  histogram durations;
  durations.record(7, 3);
  durations.record(5000, 2);
  const counted_durations counted = count_durations(durations);
  EXPECT_THAT(counted.values, ElementsAre(7, histogram::highest_at(histogram::index_of(5000))));
  EXPECT_THAT(counted.cumulative, ElementsAre(3, 5));
  EXPECT_EQ(counted.count(), 5);
  EXPECT_EQ(count_durations(histogram{}).count(), 0);
}

/// Repetitions of unlike sizes and places, and one that is empty.
std::vector<histogram> unlike_repetitions() {
  resampling random(9);
  std::vector<histogram> out(5);
  for (std::size_t r = 0; r < out.size(); ++r)
    for (std::size_t i = 0; i < r * 700; ++i)
      out[r].record(
          static_cast<std::uint64_t>(1000.0 * static_cast<double>(r) - 3000 * std::log(random.share())));
  return out;
}

TEST(merged_durations, says_what_the_merged_histogram_says) {
  const std::vector<histogram> repetitions = unlike_repetitions();
  std::vector<counted_durations> counted;
  histogram all;
  histogram weighted;
  const std::vector<std::uint32_t> weights{0, 3, 1, 0};
  for (std::size_t r = 0; r < repetitions.size(); ++r) {
    counted.push_back(count_durations(repetitions[r]));
    all.merge(repetitions[r]);
    if (r == 0) continue;
    for (std::uint32_t i = 0; i < weights[r - 1]; ++i) weighted.merge(repetitions[r]);
  }
  const merged_durations merged(counted);
  ASSERT_EQ(merged.repetitions(), 4);
  for (const double percent : {0.001, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 99.999, 100.0}) {
    EXPECT_EQ(merged.percentile(percent), all.percentile(percent)) << percent;
    EXPECT_EQ(mixed_percentile(merged, percent).of(weights), weighted.percentile(percent)) << percent;
    for (std::size_t r = 1; r < repetitions.size(); ++r)
      EXPECT_EQ(merged.percentile_of(r - 1, percent), repetitions[r].percentile(percent)) << percent;
  }
}

TEST(merged_durations, of_nothing_have_no_percentile) {
  EXPECT_FALSE(merged_durations({}).percentile(50));
  const merged_durations empty(std::vector<counted_durations>(3));
  EXPECT_EQ(empty.repetitions(), 0);
  EXPECT_FALSE(empty.percentile(50));
}

}  // namespace
}  // namespace dbdyno::results
