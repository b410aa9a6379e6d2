#include "bench/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dbdyno {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A plan and what its cells came to, one after the other.
class findings : public ::testing::Test {
 protected:
  cell_summary& add(cell what, double rate, double p99_ms = 1) {
    what.workload = "get";
    if (what.storage.empty()) what.storage = "redis";
    what.via = transport::tcp;
    plan_.cells.push_back({what});
    cell_summary one;
    one.rates = {rate};
    one.busiest_core = {0.5};
    one.latencies.record(static_cast<std::uint64_t>(p99_ms * 1e6), 10'000);
    summaries_.push_back(std::move(one));
    return summaries_.back();
  }
  std::string text() const { return describe_findings(plan_, summaries_); }

  static cell async(const char* driver, std::uint32_t connections) {
    return {.driver = driver, .mode = mode::async, .connections = connections};
  }
  static cell sync(const char* driver) { return {.driver = driver, .mode = mode::sync}; }

  run_plan plan_;
  std::vector<cell_summary> summaries_;
};

TEST_F(findings, are_none_of_a_single_cell) {
  add(sync("a"), 1000);
  EXPECT_EQ(text(), "");
}

TEST_F(findings, rank_the_best_of_each_driver_and_leave_out_what_is_no_contender) {
  add(sync("slow"), 500);
  add(sync("fast"), 2000);
  cell control = sync("null");
  control.storage = "null";
  add(control, 1e9);
  EXPECT_THAT(text(), HasSubstr("get, sync over tcp: redis/fast was fastest in every repetition, with "
                                "2,000/s; of that, redis/slow 0.25.\n"));
}

TEST_F(findings, call_fastest_in_every_repetition_only_what_was_so_beside_all) {
  add(sync("a"), 102).rates = {100, 102, 104};
  add(sync("b"), 81).rates = {80, 81, 82};
  add(sync("c"), 60).rates = {40, 60, 150};
  EXPECT_THAT(text(), HasSubstr("redis/a has the highest median, with 102/s; of that, redis/b 0.79, redis/c "
                                "0.59 (too close to tell)"));
}

TEST_F(findings, name_the_shapes_that_differ_and_do_not_rank_what_overlaps) {
  add(async("a", 4), 2000).rates = {1500, 2000, 2500};
  add(async("b", 50), 1700).rates = {1600, 1700, 1800};
  add(async("c", 50), 100).rates = {90, 100, 110};
  EXPECT_THAT(text(),
              HasSubstr("get, async over tcp: redis/a at conns:4 has the highest median, with 2,000/s; "
                        "of that, redis/b at conns:50 0.85 (too close to tell), redis/c at conns:50 "
                        "0.05.\n"));
}

TEST_F(findings, tell_where_the_order_is_another_one) {
  add(sync("a"), 2000);
  add(sync("b"), 1000);
  add(async("a", 1), 1000);
  add(async("b", 1), 3000);
  EXPECT_THAT(
      text(),
      AnyOf(HasSubstr(
                "redis/a is ahead of redis/b in get, sync over tcp, and behind it in get, async over tcp."),
            HasSubstr(
                "redis/b is ahead of redis/a in get, async over tcp, and behind it in get, sync over tcp.")));
  summaries_[3].rates = {1050};
  EXPECT_THAT(text(), Not(HasSubstr("behind"))) << "which may be noise";
}

TEST_F(findings, tell_the_best_point_of_a_sweep_and_its_end) {
  add(async("a", 4), 1000, 1);
  add(async("a", 300), 600, 90);
  add(async("a", 20), 1500, 2);
  EXPECT_THAT(
      text(),
      HasSubstr("get/redis/a/async/transport:tcp: most at conns:20 with 1,500/s; at conns:300 0.40 of "
                "that, p99 90 ms instead of 2 ms."));
}

TEST_F(findings, tell_the_highest_rate_that_was_kept) {
  for (const double percent : {40.0, 80.0, 110.0}) {
    cell what = async("a", 4);
    what.rate_percent = percent;
    what.rate = 10 * percent;
    cell_summary& figures = add(what, 10 * percent, percent / 10);
    figures.missed_rate = percent > 100;
    figures.worst = percent > 100 ? results::verdict_level::invalid : results::verdict_level::valid;
  }
  EXPECT_THAT(text(),
              AllOf(HasSubstr("keeps 800/s with p99 8 ms, against 4 ms at 400/s; 1,100/s is too much"),
                    HasSubstr("1 of 3 cells are invalid")));
  summaries_[2].missed_rate = false;
  summaries_[2].reasons = {"2 of 4 connections were refused"};
  EXPECT_THAT(text(), HasSubstr("; 1,100/s is invalid: 2 of 4 connections were refused."));
}

TEST_F(findings, believe_nothing_invalid) {
  add(sync("a"), 1000);
  add(sync("b"), 9000).worst = results::verdict_level::invalid;
  add(sync("c"), 500);
  EXPECT_THAT(text(), AllOf(HasSubstr("redis/a was fastest in every repetition"), Not(HasSubstr("redis/b"))));
}

}  // namespace
}  // namespace dbdyno
