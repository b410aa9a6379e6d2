#include "results/imports/sysbench.hpp"

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

TEST(sysbench, reads_transactions_with_latencies_and_queries) {
  const auto imported = import_sysbench(example("sysbench-point-select.txt"), "s.txt");
  EXPECT_THAT(imported.remarks, IsEmpty());
  ASSERT_EQ(imported.run.rows.size(), 2U);
  const auto r = row_of(imported, "sysbench/transactions/conns:2");
  EXPECT_EQ(r.iterations, 63574U);
  EXPECT_EQ(r.threads, 2U);
  EXPECT_THAT(r.counters,
              UnorderedElementsAre(Pair("items_per_second", 63322.94), Pair("errors", 0),
                                   Pair("reconnects", 0), Pair("min_ns", 10e3), Pair("mean_ns", 30e3),
                                   Pair("max_ns", 10.85e6), Pair("p99_ns", 100e3)));
  EXPECT_THAT(row_of(imported, "sysbench/queries/conns:2").counters,
              ElementsAre(Pair("items_per_second", 63322.94)));
  expect_round_trip(imported);
}

TEST(sysbench, says_what_transactions_failed) {
  const auto imported = import_sysbench(example("sysbench-read-write.txt"), "s.txt");
  const auto r = row_of(imported, "sysbench/transactions/conns:2");
  EXPECT_EQ(r.iterations, 543U);
  EXPECT_EQ(r.counters.at("items_per_second"), 540.42);
  EXPECT_EQ(r.counters.at("errors"), 3);
  EXPECT_EQ(r.counters.at("p95_ns"), 5.57e6);
  EXPECT_EQ(row_of(imported, "sysbench/queries/conns:2").iterations, 10909U);
  EXPECT_THAT(imported.remarks,
              ElementsAre(HasSubstr("sysbench/transactions/conns:2: 3 transactions failed")));
  expect_round_trip(imported);
}

TEST(sysbench, takes_percentiles_from_the_histogram) {
  const auto imported = import_sysbench(example("sysbench-histogram.txt"), "s.txt");
  const auto counters = row_of(imported, "sysbench/transactions/conns:2").counters;
  EXPECT_EQ(counters.at("p50_ns"), 87e3);
  EXPECT_EQ(counters.at("p90_ns"), 147e3);
  EXPECT_EQ(counters.at("p99_ns"), 222e3);
  EXPECT_EQ(counters.at("p999_ns"), 3130e3);
  EXPECT_EQ(counters.at("p95_ns"), 170e3);
  expect_round_trip(imported);
}

TEST(sysbench, reads_the_tests_without_a_database) {
  const auto cpu = row_of(import_sysbench(example("sysbench-cpu.txt"), "s.txt"), "sysbench/cpu/threads:2");
  EXPECT_EQ(cpu.counters.at("items_per_second"), 2338.44);
  EXPECT_EQ(cpu.iterations, 2343U);
  EXPECT_EQ(cpu.counters.at("p95_ns"), 4.49e6);

  const auto imported = import_sysbench(example("sysbench-memory.txt"), "s.txt");
  const auto memory = row_of(imported, "sysbench/memory/threads:1");
  EXPECT_EQ(memory.counters.at("items_per_second"), 4054083.77);
  EXPECT_THAT(memory.counters,
              UnorderedElementsAre(Pair("items_per_second", 4054083.77), Pair("max_ns", 4.09e6)));
  EXPECT_THAT(imported.remarks, ElementsAre(HasSubstr("shows as 0.00 ms are left out")));

  const auto mutex =
      row_of(import_sysbench(example("sysbench-mutex.txt"), "s.txt"), "sysbench/events/threads:2");
  EXPECT_DOUBLE_EQ(mutex.counters.at("items_per_second"), 2 / 0.0219);

  const auto files = import_sysbench(example("sysbench-fileio.txt"), "s.txt");
  ASSERT_EQ(files.run.rows.size(), 4U);
  EXPECT_DOUBLE_EQ(row_of(files, "sysbench/fileio/threads:1").counters.at("items_per_second"),
                   104855 / 1.0005);
  EXPECT_EQ(row_of(files, "sysbench/fileio-fsyncs/threads:1").counters.at("items_per_second"), 2052.3);
  expect_round_trip(files);
}

TEST(sysbench, takes_runs_of_the_same_for_repetitions) {
  const auto text = example("sysbench-point-select.txt");
  const auto imported = import_sysbench(text + text, "s.txt");
  ASSERT_EQ(imported.run.rows.size(), 4U);
  EXPECT_EQ(imported.run.rows[1].name, "sysbench/transactions/conns:2");
  EXPECT_EQ(imported.run.rows[1].repetition, 1U);
}

TEST(sysbench, says_which_run_is_cut_off) {
  const auto text = example("sysbench-cpu.txt");
  EXPECT_EQ(error_of([&] { import_sysbench(text.substr(0, text.find("General")), "s.txt"); }),
            "s.txt: line 1: the run that begins here has no line \"total time:\"; is the text cut off?");
  EXPECT_EQ(error_of([&] { import_sysbench("hello", "s.txt"); }), "s.txt: no line \"sysbench 1.\"");
}

}  // namespace
