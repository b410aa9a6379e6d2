// dbdyno-bench against a server that does what a script says: what its users read off the exit code, the
// screen and the result file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "data-loaders/marker.hpp"
#include "fixtures/eventually.hpp"
#include "fixtures/running_program.hpp"
#include "fixtures/scoped_variable.hpp"
#include "fixtures/scripted_server.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using ::testing::Contains;
using ::testing::HasSubstr;

const data_set nine(9, 100, 1);

server_script script() {
  server_script out;
  out.data = nine;
  out.literals = {{std::string(marker::key_text), marker::format(nine)}};
  return out;
}

class scripted_run : public ::testing::Test {
 protected:
  ~scripted_run() override { std::filesystem::remove(file_); }

  std::vector<std::string> arguments(const scripted_server& server, const std::string& filter,
                                     const std::vector<std::string>& more) const {
    std::vector<std::string> out{
        "--benchmark_filter=" + filter, "--redis", server.tcp().url(), "--keys", "9", "--out", file_};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }

  results::run_file run(const scripted_server& server, const std::string& filter,
                        const std::vector<std::string>& more, int code) {
    const program_outcome outcome = run_program(DBDYNO_BENCH_PATH, arguments(server, filter, more));
    EXPECT_EQ(outcome.code, code) << outcome.text;
    text_ = outcome.text;
    return results::load(file_);
  }

  const std::string file_ = std::filesystem::temp_directory_path() /
                            ("dbdyno-scripted-run-" + std::to_string(::getpid()) + ".json");
  std::string text_;
};

TEST_F(scripted_run, ends_in_time_where_a_rate_cannot_be_offered_and_shows_both) {
  server_script slow = script();
  slow.timing.service = milliseconds(1);
  const scripted_server server(slow);
  const auto begin = steady_clock::now();
  const results::run_file file =
      run(server, "^get/redis/wire/sync",
          {"--rate", "5000", "--duration", "1", "--warmup", "0.1", "--repetitions", "1"}, 0);
  EXPECT_LT(steady_clock::now() - begin, seconds(6));
  ASSERT_EQ(file.rows.size(), 1U);
  const auto& counters = file.rows[0].counters;
  EXPECT_EQ(counters.at("target_rate"), 5000);
  EXPECT_LE(counters.at("items_per_second"), 1001);
  // Scheduled less issued, with the exact number of both known.
  EXPECT_EQ(counters.at("never_sent") + static_cast<double>(file.cells[0].requests->issued), 5000);
  EXPECT_GT(counters.at("late"), 100);
  EXPECT_EQ(file.cells[0].judged->level, results::verdict_level::invalid);
  EXPECT_THAT(file.cells[0].judged->reasons, Contains(HasSubstr("5000 per second were due")));
  EXPECT_THAT(text_, HasSubstr("INVALID"));
}

TEST_F(scripted_run, keeps_its_figures_while_the_wall_clock_steps_back) {
  server_script on_a_grid = script();
  on_a_grid.timing.grid = milliseconds(10);
  const scripted_server server(on_a_grid);
  const scoped_variable preload("LD_PRELOAD", DBDYNO_STEPPING_WALL_CLOCK);
  const results::run_file file = run(
      server, "^get/redis/(wire|hiredis)/(sync|async)",
      {"--connections", "4", "--depth", "1", "--duration", "1", "--warmup", "0", "--repetitions", "1"}, 0);
  ASSERT_EQ(file.rows.size(), 4U);
  for (const results::row& row : file.rows) {
    const double connections = row.name.find("async") != std::string::npos ? 4 : 1;
    EXPECT_NEAR(row.counters.at("items_per_second"), 100 * connections, 3 * connections) << row.name;
    EXPECT_GT(row.counters.at("p50_ns"), 5e6) << row.name;
    EXPECT_LT(row.counters.at("p50_ns"), 15e6) << row.name;
  }
}

TEST_F(scripted_run, writes_a_partial_file_within_2_s_of_a_signal_though_the_server_says_nothing) {
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    server_script silent = script();
    silent.faults = {{.kind = fault_kind::stall, .which = from_to(100, 1'000'000)}};
    const scripted_server server(silent);
    // Long enough to be hanging for sure when the signal comes: the timeout is 60 s.
    running_program program(DBDYNO_BENCH_PATH, arguments(server, "^get/redis/wire/(sync|pipeline|async)",
                                                         {"--requests", "1000", "--timeout", "60"}));
    ASSERT_TRUE(eventually(seconds(20), [&] { return server.counts().of(fault_kind::stall) != 0; }));
    const auto begin = steady_clock::now();
    program.send(signal);
    const std::string text = program.read_all();
    EXPECT_EQ(program.wait(), code) << text;
    EXPECT_LT(steady_clock::now() - begin, seconds(2));
    EXPECT_TRUE(results::load(file_).partial);
  }
}

TEST_F(scripted_run, searches_the_highest_rate_under_a_limit_and_keeps_every_step) {
  // One request at a time of 2 ms each: 500 per second, and beyond the queue grows without end.
  server_script slow = script();
  slow.timing.service = milliseconds(2);
  slow.timing.turnaround = milliseconds(1);
  const scripted_server server(slow);
  const results::run_file file =
      run(server, "^get/redis/wire/sync",
          {"--max-rate-under", "p90=20ms", "--duration", "0.5", "--warmup", "0.1"}, 0);
  ASSERT_EQ(file.searches.size(), 1U);
  const results::rate_search& search = file.searches[0];
  EXPECT_EQ(search.limit, "p90=20ms");
  ASSERT_TRUE(search.knee);
  EXPECT_GT(*search.knee, 300);
  EXPECT_LT(*search.knee, 560);
  EXPECT_GE(search.steps.size(), 3U);
  // The closed loop's row, and one for each step.
  EXPECT_EQ(file.rows.size(), 1 + search.steps.size());
  for (std::size_t i = 0; i < search.steps.size(); ++i)
    EXPECT_EQ(file.rows[i + 1].counters.at("target_rate"), search.steps[i].rate);
  EXPECT_THAT(text_, HasSubstr("is the highest rate that keeps p90=20ms"));
}

TEST_F(scripted_run, counts_errors_within_the_budget_and_says_which) {
  server_script broken = script();
  broken.faults = {{.kind = fault_kind::refuse, .which = from_to(10, 15), .text = "OOM command not allowed"}};
  const scripted_server server(broken);
  const results::run_file file = run(server, "^get/redis/hiredis/sync",
                                     {"--requests", "1000", "--repetitions", "1", "--max-errors", "1%"}, 0);
  EXPECT_EQ(file.cells[0].errors.at("refused"), 5U);
  EXPECT_EQ(file.cells[0].refusals.at("OOM"), 5U);
  EXPECT_EQ(file.cells[0].requests->ok, 995U);
  EXPECT_EQ(file.cells[0].judged->level, results::verdict_level::suspect);
  EXPECT_THAT(file.cells[0].judged->reasons, Contains(HasSubstr("5 of 1000 requests failed")));
  EXPECT_EQ(file.cells[0].histograms.at("failed").count, 5U);
  EXPECT_EQ(file.rows[0].counters.at("errors"), 5);
}

}  // namespace
}  // namespace dbdyno
