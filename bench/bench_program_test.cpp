// dbdyno-bench as its users see it: exit codes, what is printed, what is left in the result file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/pinning.hpp"
#include "drivers/redis/client.hpp"
#include "fixtures/eventually.hpp"
#include "fixtures/lmdb_directory.hpp"
#include "fixtures/mariadb_server.hpp"
#include "fixtures/redis_server.hpp"
#include "fixtures/running_program.hpp"
#include "fixtures/server_counters.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

program_outcome bench(std::vector<std::string> arguments) {
  return run_program(DBDYNO_BENCH_PATH, std::move(arguments));
}

/// Whether the process has a handler for the signal.
bool catches(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word; status >> word;) {
    if (word != "SigCgt:" || !(status >> word)) continue;
    return (std::stoull(word, nullptr, 16) >> (signal - 1) & 1U) != 0;
  }
  return false;
}

class bench_program : public ::testing::Test {
 protected:
  ~bench_program() override { std::filesystem::remove(file_); }

  /// A throwaway Redis with a password, filled with 1,000 keys.
  static void fill(const redis_server& server) {
    const program_outcome loaded =
        run_program(DBDYNO_LOAD_PATH, {"--redis", server.tcp().url(), "--keys", "1000", "--quiet"});
    ASSERT_EQ(loaded.code, 0) << loaded.text;
  }

  const std::string file_ =
      std::filesystem::temp_directory_path() / ("dbdyno-bench-test-" + std::to_string(::getpid()) + ".json");
};

TEST_F(bench_program, ends_with_2_for_what_the_user_got_wrong) {
  for (const auto& [arguments, named] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--kesy", "1"}, "--kesy"},
           {{"--keys", "0"}, "--keys"},
           {{"--keys", ""}, "--keys needs a value"},
           {{"--redis=", "--list"}, "--redis needs a value"},
           {{"--benchmark_time_unit=parsec"}, "parsec"},
           {{"--keys", "-1"}, "--keys"},
           {{"--keys", "18446744073709551616"}, "--keys"},
           {{"--value-size", "big"}, "--value-size"},
           {{"--depth"}, "--depth"},
           {{"--redis", "redis://:s3cret@127.0.0.1"}, "redis://:***@127.0.0.1"},
           {{"redis://:s3cret@127.0.0.1:1"}, "follows no flag"},
           {{"--plan", "quack"}, "quack"},
           {{"--ratio", "0:0"}, "--ratio"},
           {{"--depth", "0"}, "--depth"},
           {{"--value-size", "1024-16"}, "--value-size"},
           {{"--reuse", "0"}, "--reuse"},
           {{"--rate", "0%"}, "--rate"},
           {{"--full"}, "--plan"},
           {{"--benchmark_filter=^multiget", "--keys", "5"}, "--keys"},
           {{"--threads", "4", "--connections", "2"}, "--connections"},
           {{"--benchmark_fliter=x"}, "--benchmark_fliter"},
           {{"--benchmark_filter=("}, "--benchmark_filter"},
           {{"--benchmark_enable_random_interleaving"}, "--seed"},
           {{"--benchmark_filter=^get/null", "--out", "/nowhere/at/all.json"}, "/nowhere/at/all.json"}}) {
    const program_outcome result = bench(arguments);
    EXPECT_EQ(result.code, 2) << result.text;
    EXPECT_THAT(result.text, AllOf(StartsWith("dbdyno-bench: "), HasSubstr(named), Not(HasSubstr("s3cret"))));
    EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'), 1) << result.text;
  }
}

TEST_F(bench_program, names_file_and_line_of_an_unknown_word_in_a_plan) {
  const std::string path = file_ + ".plan";
  std::ofstream(path) << "about something\ncells ^get/null\ndepht 5\n";
  const program_outcome result = bench({"--plan", path});
  std::filesystem::remove(path);
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.text, AllOf(HasSubstr(path + ":3: "), HasSubstr("'depht'")));
}

TEST_F(bench_program, does_not_time_rows_that_lack_one_and_says_so) {
  const redis_server server;
  fill(server);
  redis_client("test", server.tcp(), std::chrono::seconds(5)).command({"DEL", "dbdyno:user:3"});
  const program_outcome result = bench({"--redis", server.tcp().url(), "--keys", "1000",
                                        "--benchmark_filter=^rows/redis/wire/sync/transport:tcp$",
                                        "--requests", "100", "--repetitions", "1"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.text, AllOf(HasSubstr("not timed"), HasSubstr("there are 2 rows and not 3"),
                                 HasSubstr("dbdyno-load")));
}

TEST_F(bench_program, runs_a_plan_of_ones_own_and_says_what_it_found) {
  const std::string path = file_ + ".plan";
  std::ofstream(path) << "about nothing at all\nshow ops p99.9 errors\n"
                         "cells ^get/(lmdb|memory)/.*/sync\nrequests 1000\nrepetitions 2\n"
                         "cells ^get/null/null/async\nconnections 1\ndepth 1,100\nduration 0.05\nrate 50%\n";
  const program_outcome result = bench({"--plan", path, "--out", file_});
  std::filesystem::remove(path);
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, AllOf(HasSubstr("get, 1,000 requests"), HasSubstr("p99.9"), HasSubstr("errors")));
  const results::run_file file = results::load(file_);
  std::map<std::string, int> repetitions;
  for (const results::cell& one : file.cells) ++repetitions[one.name];
  EXPECT_EQ(repetitions["get/lmdb/lmdb/sync/requests:1000/manual_time"], 2);
  EXPECT_EQ(repetitions["get/null/null/async/conns:1/depth:100/manual_time"], 5);
  EXPECT_EQ(repetitions["get/null/null/async/conns:1/depth:100/rate:50%/manual_time"], 5);
}

TEST_F(bench_program, ends_with_5_when_the_filter_matches_nothing) {
  const program_outcome result = bench({"--benchmark_filter=^get/rediss"});
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.text, HasSubstr("^get/rediss"));
}

TEST_F(bench_program, ends_with_4_for_a_target_it_cannot_reach_or_enter) {
  const program_outcome unreachable =
      bench({"--benchmark_filter=^get/redis", "--redis", "redis://:s3cret@127.0.0.1:1"});
  EXPECT_EQ(unreachable.code, 4);
  EXPECT_THAT(unreachable.text, AllOf(HasSubstr("redis://:***@127.0.0.1:1"), Not(HasSubstr("s3cret"))));

  const redis_server server(redis_options{.password = "right"});
  target wrong = server.tcp();
  wrong.password = "s3cret";
  const program_outcome refused = bench({"--benchmark_filter=^get/redis", "--redis", wrong.url()});
  EXPECT_EQ(refused.code, 4);
  EXPECT_THAT(refused.text, AllOf(HasSubstr(wrong.masked()), Not(HasSubstr("s3cret"))));
}

TEST_F(bench_program, never_loads_a_target_it_was_given_but_says_how_to) {
  const redis_server server;
  const program_outcome result =
      bench({"--benchmark_filter=^get/redis/wire/sync", "--redis", server.tcp().url(), "--keys", "50"});
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.text, AllOf(HasSubstr("dbdyno-load --redis"), HasSubstr(server.tcp().masked()),
                                 HasSubstr("--keys 50")));
  redis_client client("test", server.tcp(), std::chrono::seconds(5));
  EXPECT_EQ(client.command({"DBSIZE"}).integer, 0);
}

TEST_F(bench_program, measures_a_loaded_server_exactly_as_often_as_asked) {
  const redis_server server(redis_options{.password = "s3cret"});
  fill(server);
  redis_client client("test", server.tcp(), std::chrono::seconds(5));
  client.command({"CONFIG", "RESETSTAT"});
  const program_outcome result =
      bench({"--benchmark_filter=^get/redis/", "--redis", server.tcp().url(), "--keys", "1000", "--requests",
             "2000", "--repetitions", "2", "--connections", "5", "--depth", "8", "--out", file_});
  ASSERT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, Not(HasSubstr("s3cret")));

  // Three drivers, three modes, two repetitions: the server counted what the file says, no more and no less.
  const results::run_file file = results::load(file_);
  std::uint64_t operations = 0;
  unsigned rows = 0;
  for (const results::row& row : file.rows) {
    if (row.kind) continue;
    ++rows;
    operations += row.iterations;
    EXPECT_EQ(row.counters.at("ops"), 2000);
    EXPECT_EQ(row.counters.at("errors"), 0);
    EXPECT_EQ(row.counters.at("misses"), 0);
    EXPECT_GT(row.counters.at("items_per_second"), 0);
  }
  EXPECT_EQ(rows, 18U);
  EXPECT_THAT(client.command({"INFO", "commandstats"}).text,
              HasSubstr("cmdstat_get:calls=" + std::to_string(operations + 1)))
      << "one more is the marker";
  EXPECT_FALSE(file.partial);
  ASSERT_THAT(file.targets, SizeIs(1));
  EXPECT_EQ(file.targets[0].url, server.tcp().masked());
}

TEST_F(bench_program, marks_a_cell_errored_when_its_server_dies_and_writes_a_whole_file) {
  redis_server server;
  fill(server);
  running_program program(
      DBDYNO_BENCH_PATH,
      {"--benchmark_filter=^(get|set)/(redis|null)", "--redis", server.tcp().url(), "--keys", "1000",
       "--duration", "0.3", "--repetitions", "3", "--connect-timeout", "1", "--out", file_});
  // Busy with it: more commands than connecting and the marker take.
  redis_client client("test", server.tcp(), std::chrono::seconds(5));
  ASSERT_TRUE(eventually(std::chrono::seconds(20), [&] {
    const std::string stats = client.command({"INFO", "stats"}).text;
    const auto at = stats.find("total_commands_processed:");
    return std::stoull(stats.substr(at + 25)) > 5000;
  }));
  server.kill();
  const std::string text = program.read_all();
  EXPECT_EQ(program.wait(), 1) << text;
  EXPECT_THAT(text, HasSubstr("ERRORED"));
  const results::run_file file = results::load(file_);
  unsigned errored = 0;
  unsigned good = 0;
  for (const results::row& row : file.rows) {
    if (row.kind) continue;
    ++(row.error_message ? errored : good);
    EXPECT_TRUE(row.error_message || row.counters.at("items_per_second") > 0);
  }
  EXPECT_GT(errored, 0U);
  EXPECT_GT(good, 0U) << "the null driver needs no server";
}

TEST_F(bench_program, writes_a_whole_partial_file_when_interrupted) {
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    running_program program(DBDYNO_BENCH_PATH, {"--benchmark_filter=^get/null", "--duration", "0.2",
                                                "--repetitions", "300", "--out", file_});
    ASSERT_TRUE(eventually(std::chrono::seconds(10), [&] { return catches(program.pid(), signal); }));
    const auto begin = std::chrono::steady_clock::now();
    program.send(signal);
    const std::string text = program.read_all();
    EXPECT_EQ(program.wait(), code) << text;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    EXPECT_TRUE(results::load(file_).partial);
  }
}

TEST_F(bench_program, measures_without_a_second_thread) {
  // It would have glibc's allocator and system calls take a longer way.
  const redis_server redis;
  fill(redis);
  running_program program(DBDYNO_BENCH_PATH, {"--redis", redis.tcp().url(), "--keys", "1000",
                                              "--benchmark_filter=^get/redis/wire/sync", "--duration", "5",
                                              "--repetitions", "1", "--quiet"});
  redis_client asking("test", redis.tcp(), std::chrono::seconds(5));
  const auto served = [&] {
    const server_counters counted = parse_redis_counters(asking.command({"INFO", "all"}).text);
    return counted.commands.at("cmdstat_get");
  };
  const std::uint64_t before = served();
  ASSERT_TRUE(eventually(std::chrono::seconds(10), [&] { return served() > before + 5000; }));
  const std::filesystem::path tasks = "/proc/" + std::to_string(program.pid()) + "/task";
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(tasks), {}), 1);
  program.send(SIGINT);
  program.read_all();
  EXPECT_EQ(program.wait(), 130);
}

TEST_F(bench_program, lists_cells_without_starting_anything) {
  const program_outcome result = bench({"--list", "--benchmark_filter=^get/redis/wire/sync"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.text,
              StartsWith("get/redis/wire/sync/transport:tcp\nget/redis/wire/sync/transport:unix\n"));
}

TEST_F(bench_program, prints_what_stock_readers_of_google_benchmark_take) {
  const program_outcome result = bench({"--benchmark_filter=^get/null/null/sync$", "--benchmark_format=json",
                                        "--quiet", "--requests", "1000", "--repetitions", "3"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.text,
              AllOf(StartsWith("{\n"), HasSubstr("\"iterations\": 1000"),
                    HasSubstr("\"aggregate_name\": \"median\""), HasSubstr("\"repetition_index\": 2")));
}

TEST_F(bench_program, is_deaf_to_google_benchmarks_variables) {
  for (const char* name :
       {"BENCHMARK_REPETITIONS", "BENCHMARK_ENABLE_RANDOM_INTERLEAVING", "BENCHMARK_LIST_TESTS"}) {
    ::setenv(name, "3", 1);
  }
  const program_outcome result =
      bench({"--benchmark_filter=^get/null", "--requests", "1000", "--repetitions", "2", "--out", file_});
  EXPECT_EQ(result.code, 0) << result.text;
  const results::run_file file = results::load(file_);
  EXPECT_FALSE(file.partial);
  EXPECT_EQ(
      std::count_if(file.rows.begin(), file.rows.end(), [](const results::row& row) { return !row.kind; }),
      6);
}

TEST_F(bench_program, binds_servers_of_its_own_and_says_where) {
  const std::vector<unsigned> cpus = allowed_cpus();
  const std::string last = std::to_string(cpus.back());
  const program_outcome done = bench({"--benchmark_filter=^get/redis/wire/async/transport:tcp", "--pin",
                                      "client=" + last + ",server=" + last, "--spin", "--duration", "0.1",
                                      "--repetitions", "1", "--out", file_});
  ASSERT_EQ(done.code, 0) << done.text;
  EXPECT_THAT(done.text, AllOf(HasSubstr(" spins "), HasSubstr("divided by the CPUs that it can use")));
  const results::run_file run = results::load(file_);
  EXPECT_EQ(run.machine.pinning, "client=" + last + ",server=" + last);
  EXPECT_EQ(run.targets.at(0).settings.at("cpus_allowed"), last);
  EXPECT_EQ(run.plan.options.at("spin"), "1");
  // Two ends on one CPU cannot have more than that.
  const auto& counters = run.rows.at(0).counters;
  EXPECT_LE(counters.at("client_core_busy") + counters.at("server_cores_busy"), 1.1);
}

TEST_F(bench_program, leaves_servers_that_it_was_given_where_they_are) {
  const redis_server server;
  fill(server);
  const program_outcome done =
      bench({"--redis", server.tcp().url(), "--keys", "1000", "--benchmark_filter=^get/redis/wire/sync",
             "--pin", "server=" + std::to_string(allowed_cpus().back()), "--duration", "0.05",
             "--repetitions", "1", "--out", file_});
  EXPECT_EQ(done.code, 0) << done.text;
  EXPECT_THAT(done.text, HasSubstr("stays on the CPUs it has: redis"));
  EXPECT_EQ(results::load(file_).machine.pinning, std::nullopt);
  EXPECT_EQ(allowed_cpus(server.pid()), allowed_cpus());
}

TEST_F(bench_program, starts_and_fills_servers_of_its_own) {
  const program_outcome result =
      bench({"--benchmark_filter=/(lmdb|redis/wire|mysql/text|handlersocket)/.*sync", "--keys", "500",
             "--requests", "200", "--repetitions", "1", "--connections", "2", "--out", file_});
  ASSERT_EQ(result.code, 0) << result.text;
  const results::run_file file = results::load(file_);
  EXPECT_THAT(file.targets, SizeIs(4));
  for (const results::target_info& target : file.targets) EXPECT_TRUE(target.throwaway);
  for (const results::row& row : file.rows) EXPECT_EQ(row.iterations, 200U) << row.name;
}

}  // namespace
}  // namespace dbdyno
