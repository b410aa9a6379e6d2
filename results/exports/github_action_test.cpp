#include "results/exports/github_action.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

#include "results/exports/scripted_results.hpp"

using namespace dbdyno::results;
using nlohmann::json;

namespace {

TEST(GithubAction, KnownAnswerOfWhatIsBetterSmaller) {
  EXPECT_EQ(github_action_smaller(figures_of(scripted_results())), R"([
  {
    "name": "get/redis/wire/sync/transport:tcp p50",
    "unit": "ns",
    "value": 1000.0,
    "range": "1000 to 3001",
    "extra": "repetitions: 1 valid 1 suspect 1 invalid 1 failed"
  },
  {
    "name": "get/redis/wire/sync/transport:tcp p99",
    "unit": "ns",
    "value": 3001.0,
    "range": "1000 to 3001",
    "extra": "repetitions: 1 valid 1 suspect 1 invalid 1 failed"
  },
  {
    "name": "get/redis/wire/sync/transport:tcp client CPU",
    "unit": "ns/op",
    "value": 4000.0,
    "range": "4000 to 4000",
    "extra": "repetitions: 1 valid 1 suspect 1 invalid 1 failed"
  },
  {
    "name": "set/redis/redis-benchmark p50",
    "unit": "ns",
    "value": 600.0,
    "extra": "repetitions: 1 unjudged"
  },
  {
    "name": "set/redis/redis-benchmark p99",
    "unit": "ns",
    "value": 1200.0,
    "extra": "repetitions: 1 unjudged"
  }
]
)");
}

TEST(GithubAction, KnownAnswerOfWhatIsBetterBigger) {
  EXPECT_EQ(github_action_bigger(figures_of(scripted_results())), R"([
  {
    "name": "get/redis/wire/sync/transport:tcp throughput",
    "unit": "ops/s",
    "value": 200.0,
    "range": "100 to 300",
    "extra": "repetitions: 1 valid 1 suspect 1 invalid 1 failed"
  },
  {
    "name": "set/redis/redis-benchmark throughput",
    "unit": "ops/s",
    "value": 50000.0,
    "extra": "repetitions: 1 unjudged"
  }
]
)");
}

/// BenchmarkResult in its extract.ts, and that it looks the value before up by name.
TEST(GithubAction, EntriesAreWhatTheActionTakes) {
  for (const auto& text : {github_action_smaller(figures_of(scripted_results())),
                           github_action_bigger(figures_of(scripted_results()))}) {
    const auto entries = json::parse(*text);
    ASSERT_TRUE(entries.is_array() && !entries.empty());
    std::set<std::string> names;
    for (const auto& entry : entries) {
      EXPECT_TRUE(names.insert(entry.at("name").get<std::string>()).second);
      EXPECT_TRUE(entry.at("value").is_number());
      EXPECT_TRUE(entry.at("unit").is_string());
      EXPECT_TRUE(entry.at("extra").is_string());
      EXPECT_TRUE(!entry.contains("range") || entry["range"].is_string());
    }
  }
}

TEST(GithubAction, HasNoEmptyListWhereThereIsNoFigure) {
  auto run = scripted_results();
  run.rows = {run.rows[2], run.rows[3]};
  EXPECT_EQ(github_action_smaller(figures_of(run)), std::nullopt);
  run.rows = {run.rows[0]};
  run.rows[0].error_message.reset();
  run.cells.clear();
  run.rows[0].counters = {{"items_per_second", 5}};
  EXPECT_EQ(github_action_smaller(figures_of(run)), std::nullopt);
  EXPECT_NE(github_action_bigger(figures_of(run)), std::nullopt);
}

TEST(GithubAction, SaysOfAStatisticThatItIsOne) {
  run_file run;
  run.rows = {scripted_row(0, 100)};
  run.rows[0].kind = statistic::mean;
  EXPECT_EQ(json::parse(*github_action_bigger(figures_of(run)))[0]["extra"], "a statistic of the file");
}

}  // namespace
