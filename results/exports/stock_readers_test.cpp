// Exported files as programs read them that are not ours: Python's csv, prometheus_client, compare.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "results/command_output.hpp"
#include "results/exports/benchmark_figures.hpp"
#include "results/exports/csv_table.hpp"
#include "results/exports/google_benchmark_json.hpp"
#include "results/exports/prometheus_text.hpp"
#include "results/exports/scripted_results.hpp"
#include "results/run_file_reader.hpp"
#include "results/temporary_directory.hpp"

using namespace dbdyno::results;
using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

namespace {

class StockReaders : public testing::Test {
 protected:
  std::string written(const char* name, const std::string& text) const {
    auto path = (directory_.path() / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  static std::vector<std::string> lines_of(const command_output& from) {
    EXPECT_EQ(from.code, 0) << from.text;
    std::vector<std::string> lines;
    std::istringstream text(from.text);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

  /// What stock_readers.py prints.
  std::vector<std::string> read(const std::string& format, const std::string& text) const {
    return lines_of(run_command(DBDYNO_COMPARE_PYTHON " '" DBDYNO_STOCK_READERS "' " + format + " '" +
                                written("file", text) + "'"));
  }

 private:
  temporary_directory directory_;
};

run_file awkward() {
  auto run = scripted_results();
  run.rows[1].error_message = "one \"two\",\n three; '\\' \xC3\xA9";
  run.rows.push_back(run.rows.back());
  run.rows.back().name = "a,b \"c\"\\d\xFF\n";
  return run;
}

TEST_F(StockReaders, PythonsCsvReadsTheTable) {
  const auto lines = read("csv", csv_table(awkward()));
  ASSERT_THAT(lines, SizeIs(6));
  const auto first = json::parse(lines[0]);
  EXPECT_EQ(first["name"], scripted_name);
  EXPECT_EQ(first["driver"], "wire");
  EXPECT_EQ(first["items_per_second"], "100");
  EXPECT_EQ(first["real_time_ns"], "10000000");
  EXPECT_EQ(first["p99_ns"], "");
  EXPECT_EQ(json::parse(lines[1])["error"], "one \"two\",  three; '\\' \xC3\xA9");
  EXPECT_EQ(json::parse(lines[5])["name"], "a,b \"c\"\\d\xEF\xBF\xBD ");
}

TEST_F(StockReaders, PythonsCsvReadsTheReferenceRuns) {
  for (const char* file : {"quick.json", "rates.json"}) {
    const auto run = load(std::string(DBDYNO_REFERENCE "/") + file);
    EXPECT_THAT(read("csv", csv_table(run)), SizeIs(run.cells.size())) << file;
  }
}

TEST_F(StockReaders, PrometheusClientReadsTheMetrics) {
  const auto run = awkward();
  const auto lines = read("prometheus", prometheus_text(run, figures_of(run)));
  EXPECT_THAT(lines,
              Contains("dbdyno_operations_per_second {\"benchmark\": \"get/redis/wire/sync/transport:tcp\", "
                       "\"driver\": \"wire\", \"mode\": \"sync\", \"storage\": \"redis\", \"transport\": "
                       "\"tcp\", \"workload\": \"get\"} 100.0"));
  EXPECT_THAT(lines,
              Contains("dbdyno_latency_seconds {\"benchmark\": \"set/redis/redis-benchmark\", \"quantile\": "
                       "\"0.95\"} 9e-07"));
  EXPECT_THAT(
      lines, Contains("dbdyno_operations_per_second {\"benchmark\": \"a,b \\\"c\\\"\\\\d\\ufffd\"} 50000.0"));
}

TEST_F(StockReaders, PrometheusClientReadsTheReferenceRuns) {
  for (const char* file : {"quick.json", "rates.json", "connect.json"}) {
    const auto run = load(std::string(DBDYNO_REFERENCE "/") + file);
    EXPECT_GT(read("prometheus", prometheus_text(run, figures_of(run))).size(), 50U) << file;
  }
}

TEST_F(StockReaders, ComparePyReadsPlainGoogleBenchmark) {
  auto slower = scripted_results();
  for (row& each : slower.rows) {
    if (each.real_time) *each.real_time *= 2;
  }
  const auto run = scripted_results();
  const auto compare = [&](const std::string& a, const std::string& b) {
    std::string text;
    for (const auto& line :
         lines_of(run_command(DBDYNO_COMPARE_PYTHON " '" DBDYNO_COMPARE_PY "' --no-color benchmarks '" +
                              written("a.json", a) + "' '" + written("b.json", b) + "'"))) {
      std::istringstream words(line);
      for (std::string word; words >> word;) text += word + " ";
      text += "\n";
    }
    return text;
  };
  const std::string name = "get/redis/wire/sync/transport:tcp/manual_time ";
  const auto all = compare(google_benchmark_json(run).value(), google_benchmark_json(slower).value());
  EXPECT_THAT(all, HasSubstr(name + "+1.0000 +0.0000 10000000 20000000 4000 4000 \n"));
  EXPECT_THAT(all, Not(HasSubstr(" 1111111 "))) << "it is invalid";
  const auto medians = compare(google_benchmark_median_json(run, figures_of(run)).value(),
                               google_benchmark_median_json(slower, figures_of(slower)).value());
  EXPECT_THAT(medians, HasSubstr(name + "+1.0000 +0.0000 6666667 13333333 4000 4000 \n"));
  EXPECT_THAT(medians, HasSubstr("set/redis/redis-benchmark +1.0000 "));
}

}  // namespace
