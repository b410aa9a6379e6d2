#include "results/exports/csv_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "results/exports/scripted_results.hpp"
#include "results/run_file_reader.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find("\r\n", begin)) != std::string::npos; begin = end + 2)
    lines.push_back(text.substr(begin, end - begin));
  EXPECT_EQ(begin, text.size()) << "the last line ends, too";
  return lines;
}

std::string header() {
  return lines_of(csv_table({})).at(0);
}

TEST(CsvTable, HasALineForEachRepetition) {
  const auto lines = lines_of(csv_table(scripted_results()));
  ASSERT_THAT(lines, SizeIs(6));
  const std::string name = "get/redis/wire/sync/transport:tcp/manual_time,get,redis,wire,sync,transport:tcp,";
  EXPECT_THAT(lines[1], StartsWith(name + "0,4,1,valid,,,0,0.5,1000,10000000,4000,100,4000,,,,,77,,"));
  EXPECT_THAT(lines[2],
              StartsWith(name + "1,4,1,suspect,\"a core was 97 % busy; it rained, hard\",,2,0.5,2000,"));
  EXPECT_THAT(lines[3], StartsWith(name + "2,4,1,invalid,target rate missed,,4,0.5,3000,"));
  EXPECT_THAT(lines[4],
              StartsWith(name + "3,4,1,,,\"the server said \"\"no\"\", twice\",,,4000,,4000,,,,,,17,"));
  EXPECT_THAT(lines[5], StartsWith("set/redis/redis-benchmark,,,,,,0,1,1,,,,,,0,20000,,50000,"));
}

TEST(CsvTable, HasAHeaderThatDoesNotDependOnTheRun) {
  EXPECT_THAT(header(), StartsWith("name,workload,storage,driver,mode,parameters,repetition,repetitions,"
                                   "threads,verdict,reasons,error,start_s,window_s,iterations,real_time_ns,"
                                   "cpu_time_ns,items_per_second,client_cpu_ns_per_op,server_cpu_ns_per_op,"
                                   "ops,misses,errors,p50_ns,"));
  for (const char* file : {"rates.json", "quick.json", "connect.json"}) {
    EXPECT_EQ(lines_of(csv_table(load(std::string(DBDYNO_REFERENCE "/") + file))).at(0), header()) << file;
  }
}

TEST(CsvTable, HasForeignCountersLast) {
  auto run = scripted_results();
  run.rows[0].counters["zeal"] = 0.1;
  run.rows[1].counters["error"] = 1e300;
  const auto lines = lines_of(csv_table(run));
  EXPECT_EQ(lines[0], header() + ",counter_error,p95_ns,zeal");
  EXPECT_THAT(lines[1], EndsWith(",,,0.1"));
  EXPECT_THAT(lines[2], EndsWith(",1e+300,,"));
  EXPECT_THAT(lines[5], EndsWith(",,900,"));
}

TEST(CsvTable, QuotesWhatWouldBreakALine) {
  run_file run;
  run.rows = {scripted_row(0, 1)};
  run.rows[0].name = "a,b \"c\"\r\nd";
  run.rows[0].counters = {{"ops", std::numeric_limits<double>::infinity()}};
  EXPECT_THAT(lines_of(csv_table(run)).at(1),
              StartsWith("\"a,b \"\"c\"\"  d\",,,,,,0,4,1,,,,,,1000,1000000000,4000,,,,,,"));
}

TEST(CsvTable, LeavesStatisticsOut) {
  auto run = scripted_results();
  for (row& each : run.rows) each.kind = statistic::mean;
  EXPECT_THAT(lines_of(csv_table(run)), ElementsAre(HasSubstr("name,")));
}

}  // namespace
