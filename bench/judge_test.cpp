#include "bench/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dbdyno {
namespace {

using results::verdict_level;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A row of 10,000 gets within a second, 4 in flight, with which nothing is wrong.
row_result good_row() {
  row_result out;
  out.counts.issue(10'000);
  out.counts.count(op_status::ok, 10'000);
  out.times.ok.record(400'000, 10'000);
  out.operations = 10'000;
  out.operations_per_second = 10'000;
  out.window = seconds(1);
  out.in_flight = {.requests = 10'000, .time = seconds(4), .room = seconds(4)};
  return out;
}

/// What is said of a good row once `spoil` has been at it.
template <class Spoil>
results::verdict verdict_of(Spoil&& spoil, std::optional<double> rate = {}) {
  finished_run run;
  run.plan.cells.resize(1);
  run.plan.cells[0].what.mode = mode::async;
  run.plan.cells[0].what.connections = 4;
  run.plan.cells[0].what.rate = rate;
  run.order = {{0, 0}};
  run.results.emplace_back(good_row());
  spoil(*run.results[0]);
  return judge(run).front();
}

TEST(judge, believes_a_row_with_which_nothing_is_wrong) {
  const auto nothing = [](row_result&) {};
  EXPECT_EQ(verdict_of(nothing).level, verdict_level::valid);
  EXPECT_THAT(verdict_of(nothing).reasons, testing::IsEmpty());
  EXPECT_EQ(verdict_of(nothing, 10'000).level, verdict_level::valid);
}

TEST(judge,
     takes_a_client_without_room_for_the_bottleneck_unless_the_server_is_at_its_limit_or_the_client_spins) {
  const auto reasons_of = [](double client, double server, unsigned cpus, bool spins, transport via) {
    finished_run run;
    run.plan.cells.resize(1);
    run.plan.cells[0].what = {.mode = mode::async, .via = via, .connections = 4};
    run.order = {{0, 0}};
    run.results.emplace_back(good_row());
    row_costs& costs = run.results[0]->costs;
    costs.busiest_core = client;
    costs.server_cores = server;
    costs.server_cpus = cpus;
    costs.spins = spins;
    return judge(run).front().reasons;
  };
  const auto bottleneck = Contains(HasSubstr("the client is the bottleneck"));
  EXPECT_THAT(reasons_of(0.95, 0.5, 1, false, transport::tcp), bottleneck);
  EXPECT_THAT(reasons_of(0.5, 0.95, 1, false, transport::tcp), Not(bottleneck));
  EXPECT_THAT(reasons_of(0.95, 0.95, 1, false, transport::tcp), Not(bottleneck));
  EXPECT_THAT(reasons_of(0.95, 0.95, 3, false, transport::tcp), bottleneck) << "a third of what it can use";
  EXPECT_THAT(reasons_of(0.95, 0.5, 1, true, transport::tcp), Not(bottleneck));
  EXPECT_THAT(reasons_of(0.95, 0.5, 1, false, transport::in_process), Not(bottleneck));
}

TEST(judge, holds_littles_law_against_the_room_there_was) {
  // One connection was down half of the time.
  const auto down = [](row_result& row) { row.in_flight.time = row.in_flight.room = milliseconds(3500); };
  EXPECT_EQ(verdict_of(down).level, verdict_level::valid);
  const auto missing = [&](row_result& row) {
    down(row);
    row.in_flight.time = milliseconds(3000);
  };
  EXPECT_EQ(verdict_of(missing).level, verdict_level::invalid);
  EXPECT_THAT(verdict_of(missing).reasons, Contains(HasSubstr("make 3 in flight, not 3.5")));
  const auto ran_out = [&](row_result& row) {
    missing(row);
    row.in_flight.tail = milliseconds(500);
  };
  EXPECT_EQ(verdict_of(ran_out).level, verdict_level::valid);
}

TEST(judge, takes_a_single_wrong_answer_for_an_invalid_row_whatever_the_budget) {
  EXPECT_EQ(verdict_of([](row_result& row) {
              row.counts.issue(1);
              row.counts.count(op_status::wrong_reply);
            }).level,
            verdict_level::invalid);
}

TEST(judge, takes_failures_within_the_budget_for_suspect) {
  EXPECT_EQ(verdict_of([](row_result& row) {
              row.counts.issue(1);
              row.counts.count(op_status::timeout);
            }).level,
            verdict_level::suspect);
}

TEST(judge, sees_a_missed_target_in_requests_never_sent_or_in_the_last_ones_lag) {
  const auto missed = Contains(HasSubstr("target rate missed"));
  EXPECT_THAT(verdict_of([](row_result& row) { row.keeping.never_sent = 200; }, 10'200).reasons, missed);
  EXPECT_THAT(verdict_of([](row_result& row) { row.keeping.lag = milliseconds(9); }, 10'000).reasons,
              Not(missed));
  EXPECT_THAT(verdict_of([](row_result& row) { row.keeping.lag = milliseconds(11); }, 10'000).reasons,
              missed);
}

}  // namespace
}  // namespace dbdyno
