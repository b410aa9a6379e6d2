#include "results/exports/histogram_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace dbdyno::results;

namespace {

TEST(HistogramLog, HasHeaderAndIntervalsInOrderOfTime) {
  const std::vector<log_interval> intervals = {
      {.tag = "b/ok",
       .start_s = 2.5,
       .length_s = 0.25,
       .record = {.data = "QQ==", .count = 1, .max_ns = 1'500'000}},
      {.tag = "a/ok", .start_s = 1, .length_s = 1, .record = {.data = "Qg==", .count = 1, .max_ns = 2}}};
  EXPECT_EQ(histogram_log("2024-05-31T18:04:09+02:00", intervals), R"(#[Logged by dbdyno-export]
#[Histogram log format version 1.3]
#[StartTime: 1717171449.000 (seconds since epoch), 2024-05-31T18:04:09+02:00]
#[BaseTime: 1717171449.000 (seconds since epoch)]
"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
Tag=a/ok,1.000,1.000,0.000,Qg==
Tag=b/ok,2.500,0.250,1.500,QQ==
)");
}

TEST(HistogramLog, OfAnUnknownDateHasNone) {
  EXPECT_THAT(histogram_log("today", {}), testing::Not(testing::HasSubstr("Time:")));
}

}  // namespace
