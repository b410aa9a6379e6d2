#include "results/imports/memtier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/imports/import_examples.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;
using testing::UnorderedElementsAre;

namespace {

const std::string mixed_name = "redis/memtier_benchmark/async/transport:tcp/conns:4/depth:1/ratio:1-1";

TEST(memtier, reads_sets_gets_and_both_of_a_mixed_load) {
  const auto imported = import_memtier(example("memtier-mixed.json"), "m.json");
  ASSERT_EQ(imported.run.rows.size(), 3U);
  const auto set = row_of(imported, "set/" + mixed_name);
  EXPECT_EQ(set.iterations, 41437U);
  EXPECT_EQ(set.threads, 1U);
  EXPECT_THAT(set.counters,
              UnorderedElementsAre(Pair("items_per_second", 20715.84), Pair("errors", 0),
                                   Pair("mean_ns", 98e3), Pair("min_ns", 8e3), Pair("max_ns", 60.671e6),
                                   Pair("p50_ns", 63e3), Pair("p99_ns", 199e3), Pair("p999_ns", 10.431e6)));
  expect_round_trip(imported);
}

TEST(memtier, counts_no_get_that_found_no_key) {
  const auto imported = import_memtier(example("memtier-mixed.json"), "m.json");
  const auto get = row_of(imported, "get/" + mixed_name);
  EXPECT_EQ(get.iterations, 40U);
  EXPECT_EQ(get.counters.at("misses"), 41395);
  EXPECT_NEAR(get.counters.at("items_per_second"), 20, 1e-6);
  const auto all = row_of(imported, "all/" + mixed_name);
  EXPECT_NEAR(all.counters.at("items_per_second"), 20735.84, 1e-6);
  EXPECT_EQ(all.counters.at("misses"), 41395);
  EXPECT_EQ(all.iterations, 82872U - 41395U);
  EXPECT_THAT(imported.remarks,
              UnorderedElementsAre(StartsWith("get/" + mixed_name +
                                              ": 20694.84 of 20714.84 operations a second found "
                                              "no key and are not counted, so 20.00/s"),
                                   StartsWith("all/" + mixed_name + ": 20694.84 of 41430.68")));
}

TEST(memtier, names_a_load_of_one_kind_as_dbdyno_does) {
  const auto imported = import_memtier(example("memtier-gets.json"), "m.json");
  ASSERT_EQ(imported.run.rows.size(), 1U);
  const auto r = row_of(imported, "get/redis/memtier_benchmark/async/transport:tcp/conns:4/depth:2");
  EXPECT_GT(r.counters.at("items_per_second"), 1000);
  EXPECT_GT(r.iterations, 1000U);
  EXPECT_FALSE(r.counters.contains("misses"));
  EXPECT_THAT(imported.remarks, IsEmpty());
  expect_round_trip(imported);
}

TEST(memtier, makes_one_row_of_the_average_of_several_runs) {
  const auto imported = import_memtier(example("memtier-average.json"), "m.json");
  ASSERT_EQ(imported.run.rows.size(), 3U);
  EXPECT_EQ(imported.run.rows[0].repetitions, 1U);
  EXPECT_THAT(imported.remarks.back(),
              "the average of several runs is one row; BEST RUN RESULTS, WORST RUN RESULTS set aside; "
              "--print-all-runs keeps them as repetitions");
  expect_round_trip(imported);
}

TEST(memtier, takes_every_run_for_a_repetition_where_all_are_told) {
  const auto imported = import_memtier(example("memtier-all-runs.json"), "m.json");
  ASSERT_EQ(imported.run.rows.size(), 6U);
  const auto name = imported.run.rows[0].name;
  EXPECT_THAT(name, StartsWith("set/redis/"));
  EXPECT_NE(row_of(imported, name, 0).counters.at("items_per_second"),
            row_of(imported, name, 1).counters.at("items_per_second"));
  EXPECT_THAT(imported.remarks.back(), HasSubstr("AGGREGATED AVERAGE RESULTS (2 runs) set aside"));
  expect_round_trip(imported);
}

TEST(memtier, reads_other_commands_protocols_and_sockets_and_bare_nan) {
  const auto imported = import_memtier(
      R"({"configuration": {"protocol": "memcache_text", "unix socket": "/s", "threads": 2, "clients": 25,
          "pipeline": 3}, "run information": {}, "ALL STATS": {"Runtime": {}, "Hgetall": {
          "Ops/sec": 100.5, "Count": 201,
          "Average Latency": -nan, "Latency": 1.5, "p99.90": 3.5}, "GET": [{"<=msec": 1}],
          "Totals": {"Ops/sec": 100.5, "Count": 201}}})",
      "m.json");
  ASSERT_EQ(imported.run.rows.size(), 1U);
  const auto r =
      row_of(imported, "hgetall/memcached/memtier_benchmark/async/transport:unix/conns:50/depth:3");
  EXPECT_EQ(r.threads, 2U);
  EXPECT_THAT(r.counters, UnorderedElementsAre(Pair("items_per_second", 100.5), Pair("mean_ns", 1.5e6),
                                               Pair("p999_ns", 3.5e6)));
  EXPECT_THAT(imported.remarks, ElementsAre("GET set aside, being no operation"));
}

TEST(memtier, says_where_something_is_wrong) {
  EXPECT_EQ(error_of([] { import_memtier(R"({"run information": {}})", "m.json"); }),
            "m.json: not a result file: /ALL STATS: missing");
  EXPECT_EQ(error_of([] { import_memtier(R"({"ALL STATS": {"Sets": {"Ops/sec": 0}}})", "m.json"); }),
            "m.json: not a result file: /ALL STATS: no operation in it");
  EXPECT_THAT(error_of([] { import_memtier("{\"ALL STATS\": {", "m.json"); }),
              StartsWith("m.json: parse error at line 1, column 16: "));
}

}  // namespace
