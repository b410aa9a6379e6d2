#include "results/imports/one_benchmark.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/imports/import_text.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

imported_source source(const std::string& path, const std::string& text) {
  return {path, import_text(text, path)};
}

const auto any = [](const std::string&) { return true; };
const auto gets = [](const std::string& name) { return name.starts_with("get/"); };

std::string failure(const std::vector<imported_source>& sources,
                    const std::function<bool(const std::string&)>& is_meant) {
  try {
    as_one_benchmark(sources, "x", is_meant);
    return "";
  } catch (const result_file_error& error) {
    return error.what();
  }
}

TEST(one_benchmark, has_every_run_of_every_file_as_a_repetition_in_order) {
  const auto out = as_one_benchmark({source("a.csv", "\"GET\",\"1\"\n\"SET\",\"9\"\n\"GET\",\"2\"\n"),
                                     source("b.csv", "WARNING: slow\n\"GET\",\"3\"\n")},
                                    "get/redis/it/async/conns:50", gets);
  std::vector<double> rates;
  for (const row& each : out.run.rows) {
    EXPECT_EQ(each.name, "get/redis/it/async/conns:50");
    EXPECT_EQ(each.repetition, rates.size());
    EXPECT_EQ(each.repetitions, 3U);
    rates.push_back(each.counters.at("items_per_second"));
  }
  EXPECT_THAT(rates, ElementsAre(1, 2, 3));
  EXPECT_THAT(out.remarks, ElementsAre("b.csv: line 1 is no result: WARNING: slow",
                                       "named by hand; it was get/redis/redis-benchmark of a.csv, b.csv"));
  ASSERT_TRUE(out.run.imported);
  EXPECT_EQ(out.run.imported->format, "redis-benchmark");
  EXPECT_EQ(out.run.imported->remarks, out.remarks);
}

TEST(one_benchmark, takes_statistics_of_a_single_file_only) {
  const std::string mean =
      R"({"context": {}, "benchmarks": [{"name": "a_mean", "run_name": "a", "run_type": "aggregate",
      "aggregate_name": "mean", "iterations": 3, "real_time": 5, "cpu_time": 5, "time_unit": "ns"}]})";
  const auto out = as_one_benchmark({source("a.json", mean)}, "b", any);
  ASSERT_EQ(out.run.rows.size(), 1U);
  EXPECT_EQ(out.run.rows[0].name, "b");
  EXPECT_EQ(out.run.rows[0].kind, statistic::mean);
  EXPECT_THAT(failure({source("a.json", mean), source("b.json", mean)}, any),
              HasSubstr("a.json: it has statistics only"));
}

TEST(one_benchmark, says_which_file_it_cannot_take_and_what_is_in_it) {
  const auto both = source("a.csv", "\"GET\",\"1\"\n\"SET\",\"9\"\n");
  EXPECT_THAT(failure({both}, any),
              HasSubstr("a.csv: it has several benchmarks, and one can have the name: pick it with --filter; "
                        "there are get/redis/redis-benchmark, set/redis/redis-benchmark"));
  EXPECT_THAT(failure({both, source("b.csv", "\"SET\",\"9\"\n")}, gets),
              HasSubstr("b.csv: it has no such benchmark, but set/redis/redis-benchmark"));
  const std::string foreign =
      R"({"context": {}, "benchmarks": [{"name": "get/a", "iterations": 3, "real_time": 5, "cpu_time": 5}]})";
  EXPECT_THAT(failure({both, source("c.json", foreign)}, gets),
              HasSubstr("c.json: it is of google-benchmark, and a.csv of redis-benchmark"));
}

}  // namespace
}  // namespace dbdyno::results
