#include "bench/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

void nothing(row_session&, unsigned) {
}
std::string no_version() {
  return "";
}

std::vector<driver_entry> some_drivers() {
  std::vector<driver_entry> out{
      {"null", "null", no_version, {}}, {"redis", "fast", no_version, {}}, {"mysql", "slow", no_version, {}}};
  for (const std::string_view workload : {"get", "set"}) {
    out[0].runners.push_back({workload, mode::sync, 1, false, nothing});
    for (const mode how : {mode::sync, mode::pipeline, mode::async}) {
      out[1].runners.push_back({workload, how, how == mode::sync ? 1U : 1000U, true, nothing});
    }
    out[2].runners.push_back({workload, mode::async, 1, true, nothing});
  }
  return out;
}

std::vector<std::string> names(const bench_options& options) {
  std::vector<std::string> out;
  for (const planned_cell& planned : make_plan(options, some_drivers()).cells)
    out.push_back(planned.what.id());
  return out;
}

bench_options filtered(const std::string& filter) {
  bench_options options;
  options.google.filter = filter;
  return options;
}

TEST(plan, runs_the_quick_one_without_filter_or_plan) {
  const run_plan plan = make_plan({}, some_drivers());
  EXPECT_EQ(plan.name, "quick");
  const auto cells = names({});
  EXPECT_THAT(cells, Contains("get/null/null/sync"));
  EXPECT_THAT(cells, Contains("set/redis/fast/sync/transport:unix"));
  EXPECT_THAT(cells, Contains("get/redis/fast/async/transport:tcp/conns:50/depth:16"));
  EXPECT_THAT(cells, Not(Contains("get/redis/fast/async/transport:unix/conns:50/depth:16")));
}

TEST(plan, shows_all_of_a_storage_that_has_only_a_unix_socket) {
  bench_options options;
  options.targets["redis"] = target{.storage = "redis", .via = transport::unix_socket};
  EXPECT_THAT(names(options), Contains("get/redis/fast/async/transport:unix/conns:50/depth:16"));
  EXPECT_THAT(names(options), Not(Contains("get/redis/fast/sync/transport:tcp")));
}

TEST(plan, filters_by_name_as_one_would_guess) {
  EXPECT_THAT(names(filtered("^get/redis/.*/async")),
              ElementsAre("get/redis/fast/async/transport:tcp/conns:50/depth:16",
                          "get/redis/fast/async/transport:unix/conns:50/depth:16"));
  EXPECT_THAT(names(filtered("^get/null/null/sync$")), ElementsAre("get/null/null/sync"));
  EXPECT_THAT(names(filtered("^get/null/null/sync/manual_time$")), ElementsAre("get/null/null/sync"));
  EXPECT_THAT(names(filtered("-redis|mysql")), ElementsAre("get/null/null/sync", "set/null/null/sync"));
  EXPECT_TRUE(names(filtered("^nothing$")).empty());
}

TEST(plan, sweeps_over_lists_without_repeating_what_a_mode_does_not_have) {
  bench_options options = filtered("^get/");
  options.given.transports = {transport::tcp};
  options.given.connections = {4, 20};
  options.given.depths = {1, 8};
  EXPECT_THAT(names(options), ElementsAre("get/null/null/sync", "get/redis/fast/sync/transport:tcp",
                                          "get/redis/fast/pipeline/transport:tcp/depth:1",
                                          "get/redis/fast/pipeline/transport:tcp/depth:8",
                                          "get/redis/fast/async/transport:tcp/conns:4/depth:1",
                                          "get/redis/fast/async/transport:tcp/conns:4/depth:8",
                                          "get/redis/fast/async/transport:tcp/conns:20/depth:1",
                                          "get/redis/fast/async/transport:tcp/conns:20/depth:8",
                                          "get/mysql/slow/async/transport:tcp/conns:4",
                                          "get/mysql/slow/async/transport:tcp/conns:4/depth:8",
                                          "get/mysql/slow/async/transport:tcp/conns:20",
                                          "get/mysql/slow/async/transport:tcp/conns:20/depth:8"));
}

TEST(plan, gives_every_thread_a_connection_or_refuses) {
  bench_options options = filtered("async");
  options.given.threads = {4};
  options.given.connections = {3};
  try {
    make_plan(options, some_drivers());
    FAIL() << "4 threads on 3 connections";
  } catch (const usage_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("--connections 4"));
  }
}

TEST(plan, minds_only_the_cells_that_are_selected) {
  bench_options options = filtered("^get/null/null/sync");
  options.given.threads = {64};
  EXPECT_THAT(names(options), ElementsAre("get/null/null/sync/threads:64"));
}

TEST(plan, names_the_depth_that_was_asked_for_whether_or_not_the_driver_takes_it_all) {
  bench_options options = filtered("^get/redis/fast/pipeline/transport:tcp");
  options.given.depths = {16, 1000, 200'000};
  EXPECT_THAT(names(options), ElementsAre("get/redis/fast/pipeline/transport:tcp/depth:16",
                                          "get/redis/fast/pipeline/transport:tcp/depth:1000",
                                          "get/redis/fast/pipeline/transport:tcp/depth:200000"));
}

TEST(plan, queues_in_front_of_a_driver_that_takes_one_at_a_time_only_if_asked_to) {
  bench_options options = filtered("^get/mysql/slow/async/transport:tcp");
  EXPECT_THAT(names(options), ElementsAre("get/mysql/slow/async/transport:tcp/conns:50"));
  options.given.depths = {1, 16};
  EXPECT_THAT(names(options), ElementsAre("get/mysql/slow/async/transport:tcp/conns:50",
                                          "get/mysql/slow/async/transport:tcp/conns:50/depth:16"));
}

TEST(plan, names_each_driver_that_sleeps_though_it_is_to_spin) {
  bench_options options = filtered("^get/");
  EXPECT_TRUE(make_plan(options, some_drivers()).warnings.empty());
  options.spin = true;
  EXPECT_TRUE(make_plan(options, some_drivers()).warnings.empty()) << "null waits for nothing";
  std::vector<driver_entry> drivers = some_drivers();
  for (runner_entry& runner : drivers[2].runners) runner.spins = false;
  EXPECT_THAT(make_plan(options, drivers).warnings,
              ElementsAre("--spin: mysql/slow/async cannot busy-poll and sleeps as ever"));
}

TEST(plan, binds_to_cpus_where_the_plan_or_the_user_says_so) {
  bench_options options;
  EXPECT_EQ(make_plan(options, some_drivers()).pins.any(), allowed_cpus().size() > 1) << "quick does";
  options.pin = "none";
  EXPECT_FALSE(make_plan(options, some_drivers()).pins.any());
  EXPECT_FALSE(make_plan(filtered("^get/"), some_drivers()).pins.any());
}

TEST(plan, refuses_more_than_fits_one_run) {
  bench_options options = filtered("^get/redis/fast/async");
  options.given.connections = {65'535};
  options.given.depths = {1000};
  EXPECT_THROW(make_plan(options, some_drivers()), usage_error);
  options = filtered("^get/null");
  options.given.repetitions = 20'001;
  EXPECT_THROW(make_plan(options, some_drivers()), usage_error);
}

TEST(plan, refuses_one_it_does_not_know_and_is_narrowed_by_a_filter) {
  bench_options options;
  options.plan = "quack";
  EXPECT_THROW(make_plan(options, some_drivers()), usage_error);
  options.plan = "quick";
  EXPECT_EQ(make_plan(options, some_drivers()).name, "quick");
  options.google.filter = "^set/mysql";
  EXPECT_EQ(make_plan(options, some_drivers()).name, "quick");
  EXPECT_THAT(names(options), ElementsAre("set/mysql/slow/async/transport:tcp/conns:50"));
}

TEST(plan, takes_its_lengths_from_the_flags_where_given) {
  bench_options options;
  options.given.duration = 3;
  options.given.warmup = 0;
  const run_plan plan = make_plan(options, some_drivers());
  ASSERT_FALSE(plan.cells.empty());
  for (const planned_cell& planned : plan.cells) {
    EXPECT_EQ(planned.length.duration, 3);
    EXPECT_EQ(planned.length.warmup, 0);
  }
  EXPECT_EQ(plan.expected_seconds(), 3.0 * static_cast<double>(plan.cells.size()) * 5);
}

TEST(plan, takes_a_percentage_of_the_closed_loop_which_it_adds_once) {
  bench_options options = filtered("^get/mysql/slow/async/transport:tcp/.*rate");
  options.given.rates = {{40, true}, {90, true}};
  const run_plan plan = make_plan(options, some_drivers());
  EXPECT_THAT(names(options), ElementsAre("get/mysql/slow/async/transport:tcp/conns:50",
                                          "get/mysql/slow/async/transport:tcp/conns:50/rate:40%",
                                          "get/mysql/slow/async/transport:tcp/conns:50/rate:90%"));
  EXPECT_FALSE(plan.cells[0].maximum);
  EXPECT_EQ(plan.cells[1].maximum, 0U);
  EXPECT_EQ(plan.cells[2].maximum, 0U);
  EXPECT_FALSE(plan.cells[1].what.rate) << "not known yet";
}

}  // namespace
}  // namespace dbdyno
