#include "results/exports/percentile_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

using namespace dbdyno::results;

namespace {

TEST(PercentileTable, KnownAnswer) {
  histogram h;
  for (std::uint64_t ms = 1; ms <= 8; ++ms) h.record(ms * 1'000'000);
  EXPECT_EQ(percentile_table(h), R"(       Value     Percentile TotalCount 1/(1-Percentile)

       1.000 0.000000000000          1           1.00
       1.000 0.100000000000          1           1.11
       2.001 0.200000000000          2           1.25
       3.000 0.300000000000          3           1.43
       4.002 0.400000000000          4           1.67
       4.002 0.500000000000          4           2.00
       5.001 0.550000000000          5           2.22
       5.001 0.600000000000          5           2.50
       6.001 0.650000000000          6           2.86
       6.001 0.700000000000          6           3.33
       6.001 0.750000000000          6           4.00
       7.000 0.775000000000          7           4.44
       7.000 0.800000000000          7           5.00
       7.000 0.825000000000          7           5.71
       7.000 0.850000000000          7           6.67
       7.000 0.875000000000          7           8.00
       8.004 0.887500000000          8           8.89
       8.004 1.000000000000          8
#[Mean    =        4.500, StdDeviation   =        2.291]
#[Max     =        8.004, Total count    =            8]
#[Buckets =           26, SubBuckets     =         2048]
)");
}

TEST(PercentileTable, SaysWhatWasClamped) {
  histogram h;
  h.record(1'000'000, 3);
  EXPECT_THAT(percentile_table(h), testing::Not(testing::HasSubstr("Clamped")));
  h.record(75'000'000'000, 2);
  EXPECT_THAT(percentile_table(h),
              testing::EndsWith("#[Clamped =            2, exact maximum  =    75000.000]\n"));
}

TEST(PercentileTable, OfNothingHasNoLines) {
  EXPECT_THAT(percentile_table({}), testing::HasSubstr("1/(1-Percentile)\n\n#[Mean    =        0.000"));
}

TEST(PercentileTable, EndsWhateverTheCounts) {
  histogram h;
  h.record(1, std::uint64_t{1} << 62U);
  h.record(2);
  EXPECT_LT(percentile_table(h).size(), 50'000U);
}

}  // namespace
