#include "results/exports/google_benchmark_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

#include "results/example_run.hpp"
#include "results/exports/scripted_results.hpp"

using namespace dbdyno::results;
using nlohmann::ordered_json;
using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

namespace {

std::vector<std::string> keys(const ordered_json& object) {
  std::vector<std::string> names;
  for (const auto& member : object.items()) names.push_back(member.key());
  return names;
}

std::vector<std::string> names(const ordered_json& file) {
  std::vector<std::string> out;
  for (const auto& each : file["benchmarks"]) out.push_back(each["name"]);
  return out;
}

ordered_json all_rows(const run_file& run) {
  return ordered_json::parse(google_benchmark_json(run).value());
}

ordered_json medians(const run_file& run) {
  return ordered_json::parse(google_benchmark_median_json(run, figures_of(run)).value());
}

/// What the fields of a row must be for those who read them without asking: GoogleCppBenchmarkJson of
/// github-action-benchmark's extract.ts, and Benchmark and Context of Bencher's google.rs.
void expect_that_strict_readers_take(const ordered_json& file) {
  EXPECT_THAT(keys(file), ElementsAre("context", "benchmarks"));
  EXPECT_TRUE(file["context"].at("caches").is_array());
  EXPECT_FALSE(file["benchmarks"].empty());
  for (const auto& each : file["benchmarks"]) {
    EXPECT_FALSE(each.at("name").get<std::string>().empty());
    EXPECT_FALSE(each.at("run_name").get<std::string>().empty());
    EXPECT_TRUE(each.at("real_time").is_number_float()) << "Bencher reads it as a float";
    EXPECT_TRUE(each["run_type"] == "aggregate" || each["real_time"].get<double>() > 0) << each;
    EXPECT_TRUE(each.at("cpu_time").is_number());
    EXPECT_TRUE(each.at("iterations").is_number_unsigned());
    EXPECT_TRUE(each.at("threads").is_number_unsigned());
    EXPECT_EQ(each.at("time_unit"), "ns");
    EXPECT_FALSE(each.contains("error_occurred"));
  }
}

TEST(GoogleBenchmarkJson, HasTheRowsThatCountAndTheirStatistics) {
  const auto file = all_rows(scripted_results());
  const std::string name = scripted_name;
  EXPECT_THAT(names(file), ElementsAre(name, name, name + "_mean", name + "_median", name + "_stddev",
                                       name + "_cv", scripted_import));
  EXPECT_EQ(file["benchmarks"][0]["real_time"], 1e7);
  EXPECT_EQ(file["benchmarks"][2]["items_per_second"], 200) << "the invalid one has no part in it";
  EXPECT_EQ(file["benchmarks"][2]["iterations"], 2);
}

TEST(GoogleBenchmarkJson, IsWhatStrictReadersTake) {
  expect_that_strict_readers_take(all_rows(scripted_results()));
  expect_that_strict_readers_take(all_rows(example_run()));
}

TEST(GoogleBenchmarkJson, OfAnImportedRunHasCachesToo) {
  auto run = scripted_results();
  run.imported = import_info{.format = "redis-benchmark", .remarks = {}};
  run.rows = {run.rows.back()};
  expect_that_strict_readers_take(all_rows(run));
  EXPECT_THAT(keys(all_rows(run)["context"]), Contains("date"));
  EXPECT_THAT(keys(all_rows(run)["context"]), Not(Contains("host_name"))) << "nobody told";
}

TEST(GoogleBenchmarkJson, LeavesOutRowsWithoutATime) {
  auto run = scripted_results();
  run.rows = {scripted_row(0, 100), scripted_row(1, 100)};
  run.rows[0].real_time.reset();
  EXPECT_THAT(names(all_rows(run)), ElementsAre(scripted_name));
  run.rows.pop_back();
  EXPECT_EQ(google_benchmark_json(run), std::nullopt);
}

TEST(GoogleBenchmarkJson, KeepsStatisticsOfWhichThereIsNoRepetition) {
  run_file run;
  run.rows = {scripted_row(0, 100)};
  run.rows[0].kind = statistic::median;
  EXPECT_THAT(names(all_rows(run)), ElementsAre(std::string(scripted_name) + "_median"));
}

TEST(GoogleBenchmarkMedianJson, HasOneRowABenchmark) {
  const auto file = medians(scripted_results());
  ASSERT_THAT(names(file), ElementsAre(scripted_name, scripted_import));
  EXPECT_EQ(file["benchmarks"][0], ordered_json::parse(R"({
    "name": "get/redis/wire/sync/transport:tcp/manual_time",
    "family_index": 0,
    "per_family_instance_index": 0,
    "run_name": "get/redis/wire/sync/transport:tcp/manual_time",
    "run_type": "iteration",
    "repetitions": 1,
    "repetition_index": 0,
    "threads": 1,
    "iterations": 1500,
    "real_time": 6666666.666666667,
    "cpu_time": 4000.0,
    "time_unit": "ns",
    "client_cpu_ns_per_op": 4000.0,
    "items_per_second": 200.0,
    "max_ns": 3000.0,
    "mean_ns": 2000.0,
    "p50_ns": 1000.0,
    "p90_ns": 3001.0,
    "p99_ns": 3001.0
  })"));
}

TEST(GoogleBenchmarkMedianJson, IsWhatStrictReadersTake) {
  for (const auto& run : {scripted_results(), example_run()}) {
    const auto file = medians(run);
    expect_that_strict_readers_take(file);
    const auto all = names(file);
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size())
        << "of rows of one name Bencher takes the last";
  }
}

TEST(GoogleBenchmarkMedianJson, LacksBenchmarksOfWhichNothingCounts) {
  auto run = scripted_results();
  run.rows.erase(run.rows.begin(), run.rows.begin() + 2);
  EXPECT_THAT(names(medians(run)), ElementsAre(scripted_import));
  run.rows.pop_back();
  EXPECT_EQ(google_benchmark_median_json(run, figures_of(run)), std::nullopt);
}

}  // namespace
