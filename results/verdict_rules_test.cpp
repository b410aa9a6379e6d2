#include "results/verdict_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace dbdyno::results {
namespace {

using ::testing::HasSubstr;

/// The rows of an imported file that `rule` finds fault with, as "backend connections".
template <class Rule>
std::set<std::string> flagged(Rule&& rule) {
  std::ifstream file(DBDYNO_ORIGINS "/http-connection-sweep.csv");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(
      line,
      "backend,connections,responses_per_second,responses_total,responses_failed,mean_ms,stdev_ms,p50_ms,"
      "p75_ms,p90_ms,p99_ms,max_ms");
  std::set<std::string> out;
  int rows = 0;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::vector<std::string> row;
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    if (rule(row)) out.insert(row[0] + " " + row[1]);
    ++rows;
  }
  EXPECT_EQ(rows, 63);
  return out;
}

std::set<std::string> expected(const std::vector<std::pair<std::string, std::vector<int>>>& rows) {
  std::set<std::string> out;
  for (const auto& [backend, connections] : rows) {
    for (const int count : connections) out.insert(backend + " " + std::to_string(count));
  }
  return out;
}

TEST(verdict_rules, finds_the_rows_of_the_origins_that_break_littles_law_and_no_others) {
  EXPECT_EQ(flagged([](const std::vector<std::string>& row) {
              return break_of_littles_law(std::stod(row[1]), std::stod(row[2]), std::stod(row[5]) / 1e3,
                                          std::stoull(row[3]))
                  .has_value();
            }),
            expected({{"memory", {4, 5, 6, 7, 8, 9, 10, 20, 60}},
                      {"mysql", {4, 5, 6, 7, 8, 9, 40}},
                      {"mysql2", {4, 5, 6, 7, 8, 9, 10, 20}}}));
}

TEST(verdict_rules, finds_the_rows_of_the_origins_that_count_failed_replies) {
  EXPECT_EQ(flagged([](const std::vector<std::string>& row) {
              return failed_replies(std::stoull(row[4]), std::stoull(row[3])).has_value();
            }),
            expected({{"mysql", {120, 140, 160, 200, 250, 300}}, {"mysql2", {140, 160, 200, 250, 300}}}));
}

TEST(verdict_rules, allow_littles_law_the_requests_cut_off_at_the_end) {
  // 100 in flight of 1,000 in all: a tenth of the latencies is missing by nature.
  EXPECT_FALSE(break_of_littles_law(100, 1000, 0.09, 1000));
  EXPECT_TRUE(break_of_littles_law(100, 1000, 0.09, 1'000'000));
  EXPECT_FALSE(break_of_littles_law(100, 1000, 0.0951, 1'000'000));
}

TEST(verdict_rules, find_a_target_missed_from_one_percent_on) {
  EXPECT_FALSE(missed_target(990, 10, 1000, 990));
  EXPECT_THAT(*missed_target(980, 20, 1000, 970), HasSubstr("1000 per second were due, 970 were done"));
}

TEST(verdict_rules, find_a_generator_that_falls_behind) {
  EXPECT_FALSE(late_generator(50, 1000));
  EXPECT_THAT(*late_generator(51, 1000), HasSubstr("51 of 1000"));
}

TEST(verdict_rules, blame_the_client_only_while_the_server_has_time) {
  EXPECT_TRUE(client_is_bottleneck(0.95, 0.5));
  EXPECT_FALSE(client_is_bottleneck(0.95, 0.97));
  EXPECT_FALSE(client_is_bottleneck(0.8, 0.5));
}

TEST(verdict_rules, find_drift_between_the_halves_of_a_window) {
  EXPECT_FALSE(drift({100, 120, 90, 104, 96, 110}, 1'000'000));
  EXPECT_TRUE(drift({100, 100, 100, 89, 89, 89}, 1'000'000));
  EXPECT_TRUE(drift({50, 100, 150, 200}, 1'000'000));
  EXPECT_FALSE(drift({0, 100}, 1'000'000)) << "two slices are no trend";
}

TEST(verdict_rules, find_no_drift_in_what_chance_does_to_few_operations) {
  // 19 % apart, which is 3 standard deviations of 1,000 events.
  EXPECT_FALSE(drift({109, 109, 91, 91}, 1000));
  EXPECT_TRUE(drift({110, 110, 90, 90}, 1000));
}

TEST(verdict_rules, find_a_schedule_whose_last_request_was_late) {
  // 1,000 requests at 1,000 per second: 1 % is 10 ms.
  EXPECT_FALSE(lagging_schedule(1000, 0.0099, 1000));
  EXPECT_THAT(*lagging_schedule(1000, 0.0101, 1000),
              HasSubstr("the last of 1000 requests was issued 0.0101 s"));
}

TEST(verdict_rules, find_a_single_wrong_answer) {
  EXPECT_FALSE(wrong_answers(0, 1000));
  EXPECT_THAT(*wrong_answers(1, 1000), HasSubstr("1 of 1000 replies"));
}

TEST(verdict_rules, allow_littles_law_the_slots_left_empty_for_want_of_requests) {
  EXPECT_TRUE(break_of_littles_law(100, 1000, 0.07, 1'000'000));
  EXPECT_FALSE(break_of_littles_law(100, 1000, 0.07, 1'000'000, 0.3));
  EXPECT_TRUE(break_of_littles_law(100, 1000, 0.13, 1'000'000, 0.3)) << "never more than there are";
}

TEST(verdict_rules, find_variation_and_few_samples) {
  EXPECT_FALSE(high_variation(0.1));
  EXPECT_TRUE(high_variation(0.11));
  EXPECT_FALSE(few_samples(1000));
  EXPECT_TRUE(few_samples(999));
}

TEST(verdict_rules, find_connections_that_were_refused) {
  EXPECT_FALSE(refused_connections(0, 300, ""));
  EXPECT_EQ(*refused_connections(44, 300, "1040: Too many connections"),
            "44 of 300 connections were refused (1040: Too many connections); only the others went on");
}

TEST(verdict_rules, find_a_queue_that_was_not_gone_through_twice) {
  EXPECT_FALSE(unfilled_queue(1000, 500));
  EXPECT_THAT(*unfilled_queue(999, 500), HasSubstr("999 operations with 500 outstanding"));
  EXPECT_FALSE(unfilled_queue(0, 0));
}

TEST(verdict_rules, find_latencies_that_pile_up_at_tcps_timers) {
  histogram times;
  for (std::uint64_t us = 100; us < 60'000; ++us) times.record(us * 1000);
  EXPECT_FALSE(clustered_latencies(times, {})) << "a broad distribution that passes 40 ms";
  times.record(40'500'000, 40'000);
  EXPECT_THAT(*clustered_latencies(times, tcp_counts{.delayed_acks = 7}),
              ::testing::AllOf(HasSubstr("delayed ACK"), HasSubstr("7 delayed ACKs")));
  times.record(203'000'000, 200);
  EXPECT_THAT(*clustered_latencies(times, {}), HasSubstr("200 latencies of 200 to 225 ms (retransmission)"));
  times.record(1'010'000'000, 9);
  EXPECT_THAT(*clustered_latencies(times, {}), ::testing::Not(HasSubstr("SYN"))) << "nine are chance";
  times.record(1'010'000'000, 200);
  EXPECT_THAT(*clustered_latencies(times, {}), HasSubstr("209 latencies of 1000 to 1080 ms (SYN retry)"));
}

TEST(verdict_builder, keeps_the_worst_level_and_every_reason) {
  verdict_builder builder;
  EXPECT_EQ(builder.result(), verdict{});
  builder.suspect("a");
  builder.invalid("b");
  builder.suspect("c");
  builder.invalid(std::nullopt);
  EXPECT_EQ(builder.result(), (verdict{verdict_level::invalid, {"a", "b", "c"}}));
}

}  // namespace
}  // namespace dbdyno::results
