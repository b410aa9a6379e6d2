#include "results/imports/ab.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/imports/import_examples.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

namespace {

std::string text_with(int complete, int failed, int length, int not_2xx) {
  return fmt::format(
      "This is ApacheBench, Version 2.3\nDocument Path: /\nConcurrency Level: 2\nComplete requests: {}\n"
      "Failed requests: {}\n   (Connect: 0, Receive: 0, Length: {}, Exceptions: 0)\nNon-2xx responses: {}\n"
      "Requests per second: 1000.00 [#/sec] (mean)\n",
      complete, failed, length, not_2xx);
}

std::uint64_t good_of(int complete, int failed, int length, int not_2xx) {
  return import_ab(text_with(complete, failed, length, not_2xx), "a.txt").run.rows.at(0).iterations;
}

TEST(ab, reads_rate_and_latencies_in_whole_milliseconds) {
  const auto imported = import_ab(example("ab.txt"), "a.txt");
  const auto r = row_of(imported, "ab/root/conns:4");
  EXPECT_EQ(r.iterations, 2000U);
  EXPECT_THAT(r.counters,
              UnorderedElementsAre(Pair("items_per_second", 3197.72), Pair("errors", 0), Pair("mean_ns", 1e6),
                                   Pair("stddev_ns", 1.5e6), Pair("max_ns", 9e6), Pair("p50_ns", 1e6),
                                   Pair("p75_ns", 1e6), Pair("p90_ns", 3e6), Pair("p95_ns", 5e6),
                                   Pair("p98_ns", 7e6), Pair("p99_ns", 8e6)));
  EXPECT_THAT(imported.remarks, ElementsAre("ab/root/conns:4: latencies that ab shows as 0 ms are left out"));
  expect_round_trip(imported);
}

TEST(ab, counts_no_failed_request) {
  const auto imported = import_ab(example("ab-failed.txt"), "a.txt");
  const auto r = row_of(imported, "ab/some/conns:4/keep-alive");
  EXPECT_EQ(r.iterations, 1800U);
  EXPECT_DOUBLE_EQ(r.counters.at("items_per_second"), 17063.54 * 0.9);
  EXPECT_EQ(r.counters.at("errors"), 200);
  EXPECT_FALSE(r.counters.contains("p50_ns"));
  EXPECT_EQ(r.counters.at("p99_ns"), 6e6);
  EXPECT_THAT(
      imported.remarks,
      ElementsAre(
          HasSubstr("200 of 2000 requests failed (200 of another length than the first, 200 not 2xx)"),
          HasSubstr("shows as 0 ms are left out")));
  expect_round_trip(imported);
}

TEST(ab, never_counts_a_failed_request_where_failures_may_be_the_same_or_not) {
  EXPECT_EQ(good_of(1000, 0, 0, 0), 1000U);
  EXPECT_EQ(good_of(1000, 0, 0, 100), 900U) << "bad replies as long as the first";
  EXPECT_EQ(good_of(1000, 150, 150, 100), 850U) << "bad replies are among those of another length";
  EXPECT_EQ(good_of(1000, 50, 50, 100), 850U) << "they cannot all be";
  EXPECT_EQ(good_of(1000, 900, 900, 100), 0U) << "the first reply was a bad one";
  EXPECT_EQ(good_of(1000, 0, 0, 1000), 0U);
  const auto r = import_ab(text_with(1000, 0, 0, 1000), "a.txt").run.rows.at(0);
  EXPECT_THAT(*r.error_message, HasSubstr("all 1000 requests failed"));
  EXPECT_FALSE(r.counters.contains("items_per_second"));
}

TEST(ab, says_which_run_is_cut_off) {
  const auto text = example("ab.txt");
  EXPECT_EQ(
      error_of([&] { import_ab(text.substr(0, text.find("Requests per")), "a.txt"); }),
      "a.txt: line 1: the run that begins here has no line \"Requests per second:\"; is the text cut off, or "
      "did ab give up?");
  EXPECT_EQ(error_of([&] { import_ab("hello", "a.txt"); }), "a.txt: no line \"This is ApacheBench\"");
}

TEST(ab, takes_runs_of_the_same_for_repetitions) {
  const auto text = example("ab.txt");
  const auto imported = import_ab(text + text, "a.txt");
  EXPECT_EQ(row_of(imported, "ab/root/conns:4", 1).repetitions, 2U);
}

}  // namespace
