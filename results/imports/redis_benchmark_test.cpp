#include "results/imports/redis_benchmark.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/imports/import_examples.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

namespace {

TEST(redis_benchmark, reads_every_test_with_its_latencies) {
  const auto imported = import_redis_benchmark(example("redis-benchmark-7.0.csv"), "r.csv");
  ASSERT_EQ(imported.run.rows.size(), 7U);
  EXPECT_THAT(imported.remarks, IsEmpty());
  EXPECT_EQ(imported.run.rows[4].name, "lpush-needed-to-benchmark-lrange/redis/redis-benchmark");
  const auto get = row_of(imported, "get/redis/redis-benchmark");
  EXPECT_DOUBLE_EQ(*get.real_time, 1e9 / 57471.27);
  EXPECT_THAT(get.counters,
              UnorderedElementsAre(Pair("items_per_second", 57471.27), Pair("mean_ns", 109e3),
                                   Pair("min_ns", 24e3), Pair("p50_ns", 95e3), Pair("p95_ns", 159e3),
                                   Pair("p99_ns", 271e3), Pair("max_ns", 5159e3)));
  EXPECT_EQ(get.iterations, 0U);
  EXPECT_EQ(imported.run.imported->format, "redis-benchmark");
  EXPECT_EQ(imported.run.machine, machine_info{});
  EXPECT_EQ(imported.run.plan, plan_info{});
  expect_round_trip(imported);
}

TEST(redis_benchmark, reads_the_form_before_6_2_that_has_rates_only) {
  const auto imported = import_redis_benchmark(example("redis-benchmark-4.0.csv"), "r.csv");
  ASSERT_EQ(imported.run.rows.size(), 5U);
  EXPECT_THAT(row_of(imported, "get/redis/redis-benchmark").counters,
              ElementsAre(Pair("items_per_second", 80645.16)));
  EXPECT_EQ(
      row_of(imported, "lrange_100-first-100-elements/redis/redis-benchmark").counters.at("items_per_second"),
      31746.03);
  expect_round_trip(imported);
}

TEST(redis_benchmark, takes_a_test_that_comes_again_for_a_repetition) {
  const auto text = example("redis-benchmark-4.0.csv");
  const auto imported = import_redis_benchmark(text + "\n" + text, "r.csv");
  ASSERT_EQ(imported.run.rows.size(), 10U);
  EXPECT_EQ(imported.run.rows[1].repetition, 1U);
  EXPECT_EQ(row_of(imported, "get/redis/redis-benchmark", 1).repetitions, 2U);
}

TEST(redis_benchmark, says_which_line_is_cut_off) {
  auto text = example("redis-benchmark-7.0.csv");
  text.resize(text.size() - 20);
  EXPECT_EQ(error_of([&] { import_redis_benchmark(text, "r.csv"); }),
            "r.csv: line 8: 6 fields where there should be 8; is the text cut off?");
  EXPECT_EQ(error_of([&] { import_redis_benchmark("# nothing", "r.csv"); }),
            "r.csv: no results of redis-benchmark --csv in it");
}

TEST(redis_benchmark, leaves_out_what_is_no_number_and_says_so) {
  const auto imported =
      import_redis_benchmark("WARNING: no CONFIG\n\"SET\",\"inf\"\n\"GET\",\"5.00\"\n", "r.csv");
  EXPECT_THAT(imported.remarks, ElementsAre("line 1 is no result: WARNING: no CONFIG",
                                            "set/redis/redis-benchmark: rps is not a finite number but inf"));
  EXPECT_EQ(row_of(imported, "set/redis/redis-benchmark").error_message, "no rate");
  expect_round_trip(imported);
}

}  // namespace
