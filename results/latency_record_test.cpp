#include "results/latency_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "results/hdr_encoding.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

namespace {

histogram example() {
  histogram durations;
  durations.record(1'234'567, 20);
  durations.record(75'000'000'000, 2);
  return durations;
}

TEST(LatencyRecord, BringsBackWhatTheBucketsDoNotHold) {
  const auto record = to_record(example());
  EXPECT_EQ(record.count, 22U);
  EXPECT_EQ(record.max_ns, 75'000'000'000U);
  EXPECT_EQ(record.sum_ns, 20 * 1'234'567U + 150'000'000'000U);
  EXPECT_EQ(record.clamped, 2U);
  EXPECT_FALSE(decode_compressed_base64(record.data) == example());
  EXPECT_TRUE(to_histogram(record) == example());
  EXPECT_TRUE(to_histogram(to_record({})) == histogram());
}

TEST(LatencyRecord, CountsDurationsAsTheHistogramDoes) {
  const auto counted = to_counted_durations(to_record(example()));
  EXPECT_EQ(counted.values, count_durations(example()).values);
  EXPECT_THAT(counted.cumulative, ElementsAre(20, 22));
  EXPECT_EQ(to_counted_durations(to_record({})).count(), 0U);
}

TEST(LatencyRecord, RefusesFiguresThatContradictTheBuckets) {
  const auto message_after = [](const std::function<void(latency_record&)>& change) -> std::string {
    auto record = to_record(example());
    change(record);
    const auto refusal = [&](auto read) -> std::string {
      try {
        read(record);
      } catch (const std::runtime_error& error) {
        return error.what();
      }
      return "no error";
    };
    const std::string out = refusal([](const latency_record& r) { to_histogram(r); });
    EXPECT_EQ(refusal([](const latency_record& r) { to_counted_durations(r); }), out);
    return out;
  };
  EXPECT_THAT(message_after([](auto& r) { r.count = 21; }), HasSubstr("count 21"));
  EXPECT_THAT(message_after([](auto& r) { r.clamped = 3; }), HasSubstr("clamped 3"));
  EXPECT_THAT(message_after([](auto& r) { r.clamped = 0; }), HasSubstr("max_ns 75000000000"));
  EXPECT_THAT(message_after([](auto& r) { r.max_ns = 60'000'000'000; }), HasSubstr("max_ns 60000000000"));
  EXPECT_THAT(message_after([](auto& r) { r.max_ns = 1'234'567; }), HasSubstr("max_ns 1234567"));
  EXPECT_THAT(message_after([](auto& r) { r.data = ""; }), HasSubstr("cut off"));
}

TEST(LatencyRecord, CountersHaveOnlyPercentilesThatTenDurationsLieBeyond) {
  EXPECT_THAT(latency_counters({}), IsEmpty());
  histogram durations;
  durations.record(7);
  EXPECT_THAT(latency_counters(durations), ElementsAre(Pair("max_ns", 7), Pair("mean_ns", 7)));
  durations.clear();
  for (std::uint64_t i = 1; i <= 1000; ++i) durations.record(i);
  EXPECT_THAT(latency_counters(durations),
              ElementsAre(Pair("max_ns", 1000), Pair("mean_ns", 500.5), Pair("p50_ns", 500),
                          Pair("p90_ns", 900), Pair("p99_ns", 990)));
  durations.record(2, 9000);
  EXPECT_EQ(latency_counters(durations).at("p999_ns"), 990);
}

TEST(LatencyRecord, KnowsItsCounters) {
  histogram durations;
  durations.record(1, 100'000);
  const auto counters = latency_counters(durations);
  EXPECT_EQ(counters.size(), 6U);
  for (const auto& [name, value] : counters) EXPECT_TRUE(is_latency_counter(name)) << name;
  for (const auto* name : {"p95_ns", "p9999_ns", "min_ns", "stddev_ns", "service_p75_ns"}) {
    EXPECT_TRUE(is_latency_counter(name)) << name;
  }
  for (const auto* name : {"client_cpu_ns_per_op", "p_ns", "p99", "pages_ns", "connect_ns"}) {
    EXPECT_FALSE(is_latency_counter(name)) << name;
  }
}

}  // namespace
