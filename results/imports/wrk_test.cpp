#include "results/imports/wrk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/imports/import_examples.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

namespace {

TEST(wrk, reads_what_is_told_without_latency) {
  const auto imported = import_wrk(example("wrk.txt"), "w.txt");
  EXPECT_THAT(imported.remarks, IsEmpty());
  const auto r = row_of(imported, "wrk/root/conns:4/threads:1");
  EXPECT_EQ(r.iterations, 57412U);
  EXPECT_EQ(r.threads, 1U);
  EXPECT_THAT(r.counters, UnorderedElementsAre(Pair("items_per_second", 57255.98), Pair("errors", 0),
                                               Pair("mean_ns", 96750), Pair("stddev_ns", 241130),
                                               Pair("max_ns", 3.88e6)));
  expect_round_trip(imported);
}

TEST(wrk, reads_the_latency_distribution) {
  const auto imported = import_wrk(example("wrk-latency.txt"), "w.txt");
  EXPECT_THAT(
      row_of(imported, "wrk/root/conns:4/threads:1").counters,
      UnorderedElementsAre(Pair("items_per_second", 51526.82), Pair("errors", 0), Pair("mean_ns", 0.93e6),
                           Pair("stddev_ns", 4.17e6), Pair("max_ns", 38.18e6), Pair("p50_ns", 72e3),
                           Pair("p75_ns", 78e3), Pair("p90_ns", 215e3), Pair("p99_ns", 25.86e6)));
  expect_round_trip(imported);
}

TEST(wrk, counts_no_reply_with_a_bad_status) {
  const auto imported = import_wrk(example("wrk-failed.txt"), "w.txt");
  const auto r = row_of(imported, "wrk/some/conns:4/threads:1");
  EXPECT_EQ(r.iterations, 26074U - 2608U);
  EXPECT_DOUBLE_EQ(r.counters.at("items_per_second"), 26068.55 * (26074. - 2608.) / 26074.);
  EXPECT_EQ(r.counters.at("errors"), 2608);
  EXPECT_THAT(
      imported.remarks,
      ElementsAre("wrk/some/conns:4/threads:1: 2608 of 26074 requests failed (2608 with a status of 400 or "
                  "above) and are not counted, so 23461.10/s where the file says 26068.55/s; the latencies "
                  "cover them, too"));
  expect_round_trip(imported);
}

TEST(wrk, leaves_the_rate_where_requests_failed_that_are_not_in_it) {
  const auto imported = import_wrk(example("wrk-dropped.txt"), "w.txt");
  const auto r = row_of(imported, "wrk/drop/conns:4/threads:1");
  EXPECT_EQ(r.counters.at("items_per_second"), 43397.12);
  EXPECT_EQ(r.iterations, 47715U);
  EXPECT_EQ(r.counters.at("errors"), 974);
  EXPECT_THAT(imported.remarks,
              ElementsAre("wrk/drop/conns:4/threads:1: requests failed at the sockets, none of them "
                          "in the rate: 974 read"));
}

TEST(wrk, counts_no_reply_later_than_the_timeout) {
  const auto imported = import_wrk(
      "Running 1m test @ http://h/\n  12 threads and 400 connections\n"
      "    Latency     1.20m    2.00s     1.50m    70.00%\n"
      "  1000 requests in 1.00m, 3MB read\n"
      "  Socket errors: connect 0, read 0, write 0, timeout 100\nRequests/sec:     16.67\n",
      "w.txt");
  const auto r = row_of(imported, "wrk/root/conns:400/threads:12");
  EXPECT_EQ(r.threads, 12U);
  EXPECT_EQ(r.iterations, 900U);
  EXPECT_DOUBLE_EQ(r.counters.at("items_per_second"), 16.67 * 0.9);
  EXPECT_EQ(r.counters.at("mean_ns"), 72e9);
}

TEST(wrk, takes_runs_of_the_same_for_repetitions) {
  const auto text = example("wrk.txt");
  const auto imported = import_wrk("$ wrk -t1 -c4\n" + text + example("wrk-failed.txt") + text, "w.txt");
  ASSERT_EQ(imported.run.rows.size(), 3U);
  EXPECT_EQ(imported.run.rows[1].name, "wrk/root/conns:4/threads:1");
  EXPECT_EQ(imported.run.rows[1].repetition, 1U);
}

TEST(wrk, has_no_rate_where_nothing_was_answered) {
  const auto imported = import_wrk(
      "Running 1s test @ http://h/\n  1 threads and 4 connections\n"
      "    Latency     0.00us    0.00us   0.00us    -nan%\n"
      "  0 requests in 1.00s, 0.00B read\n  Socket errors: connect 4, read 0, write 0, timeout 0\n"
      "Requests/sec:      0.00\n",
      "w.txt");
  const auto r = row_of(imported, "wrk/root/conns:4/threads:1");
  EXPECT_EQ(r.error_message, "no request was answered");
  EXPECT_THAT(r.counters, ElementsAre(Pair("errors", 4)));
  expect_round_trip(imported);
}

TEST(wrk, says_which_run_is_cut_off) {
  const auto text = example("wrk.txt");
  EXPECT_EQ(
      error_of([&] { import_wrk(text + text.substr(0, 180), "w.txt"); }),
      "w.txt: line 9: the run that begins here has no line \"... requests in ...\"; is the text cut off?");
  EXPECT_EQ(error_of([&] { import_wrk("hello", "w.txt"); }),
            "w.txt: no line \"Running ... test @ URL\", as wrk prints it");
}

TEST(wrk2, reads_latencies_from_when_requests_were_due_and_from_when_they_were_sent) {
  const auto imported = import_wrk2(example("wrk2.txt"), "w.txt");
  const auto r = row_of(imported, "wrk2/index-html/conns:100/threads:2");
  EXPECT_THAT(r.counters,
              UnorderedElementsAre(Pair("items_per_second", testing::DoubleEq(1999.97 * 60000 / 60019)),
                                   Pair("errors", 26), Pair("mean_ns", 1.257e6), Pair("stddev_ns", 0.612e6),
                                   Pair("max_ns", 15.904e6), Pair("p50_ns", 1.203e6), Pair("p75_ns", 1.651e6),
                                   Pair("p90_ns", 2.027e6), Pair("p99_ns", 2.71e6), Pair("p999_ns", 7.9e6),
                                   Pair("p9999_ns", 15.02e6), Pair("p99999_ns", 15.91e6),
                                   Pair("service_mean_ns", 0.633e6), Pair("service_stddev_ns", 0.301e6),
                                   Pair("service_max_ns", 6.336e6), Pair("service_p50_ns", 0.612e6),
                                   Pair("service_p75_ns", 0.84e6), Pair("service_p90_ns", 1.097e6),
                                   Pair("service_p99_ns", 1.61e6), Pair("service_p999_ns", 3.02e6),
                                   Pair("service_p9999_ns", 6.1e6), Pair("service_p99999_ns", 6.34e6)));
  EXPECT_EQ(r.iterations, 60000U);
  EXPECT_THAT(
      imported.remarks,
      ElementsAre(testing::HasSubstr("19 of 60019 requests failed (19 with a status of 400 or above)"),
                  testing::HasSubstr("none of them in the rate: 7 timeout")));
  expect_round_trip(imported);
}

TEST(wrk2, is_told_from_wrk_by_what_only_it_prints) {
  for (const auto* file : {"wrk2.txt", "wrk2-plain.txt"}) EXPECT_TRUE(looks_like_wrk2(example(file))) << file;
  for (const auto* file : {"wrk.txt", "wrk-latency.txt"}) {
    EXPECT_FALSE(looks_like_wrk2(example(file))) << file;
    EXPECT_TRUE(looks_like_wrk(example(file))) << file;
  }
  EXPECT_EQ(row_of(import_wrk2(example("wrk2-plain.txt"), "w.txt"), "wrk2/root/conns:100/threads:2")
                .counters.at("mean_ns"),
            1.26e6);
}

}  // namespace
