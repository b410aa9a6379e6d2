#include "results/exports/bencher_metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>
#include <string>

#include "results/exports/scripted_results.hpp"

using namespace dbdyno::results;
using nlohmann::json;

namespace {

TEST(BencherMetrics, KnownAnswer) {
  EXPECT_EQ(bencher_metrics(figures_of(scripted_results())), R"({
  "get/redis/wire/sync/transport:tcp": {
    "throughput": {
      "value": 200.0,
      "lower_value": 100.0,
      "upper_value": 300.0
    },
    "latency-p50": {
      "value": 1000.0,
      "lower_value": 1000.0,
      "upper_value": 3001.0
    },
    "latency-p90": {
      "value": 3001.0,
      "lower_value": 1000.0,
      "upper_value": 3001.0
    },
    "latency-p99": {
      "value": 3001.0,
      "lower_value": 1000.0,
      "upper_value": 3001.0
    },
    "client-cpu": {
      "value": 4000.0,
      "lower_value": 4000.0,
      "upper_value": 4000.0
    }
  },
  "set/redis/redis-benchmark": {
    "throughput": {
      "value": 50000.0
    },
    "latency-p50": {
      "value": 600.0
    },
    "latency-p99": {
      "value": 1200.0
    }
  }
}
)");
}

/// https://bencher.dev/bmf.json, and what bencher_valid asks of names and slugs.
TEST(BencherMetrics, AreWhatTheJsonAdapterTakes) {
  const auto all = json::parse(*bencher_metrics(figures_of(scripted_results())));
  ASSERT_TRUE(all.is_object());
  for (const auto& [name, metrics] : all.items()) {
    EXPECT_FALSE(name.empty() || name.front() == ' ' || name.back() == ' ' || name.size() > 1024);
    ASSERT_TRUE(metrics.is_object());
    for (const auto& [slug, metric] : metrics.items()) {
      EXPECT_TRUE(std::regex_match(slug, std::regex("[a-z0-9]+(-[a-z0-9]+)*")) && slug.size() <= 64) << slug;
      ASSERT_TRUE(metric.contains("value"));
      for (const auto& [key, value] : metric.items()) {
        EXPECT_TRUE(key == "value" || key == "lower_value" || key == "upper_value") << key;
        EXPECT_TRUE(value.is_number());
      }
      if (metric.contains("lower_value")) {
        EXPECT_LE(metric["lower_value"], metric["value"]);
        EXPECT_GE(metric["upper_value"], metric["value"]);
      }
    }
  }
}

TEST(BencherMetrics, AreNoneWhereThereIsNoFigure) {
  auto run = scripted_results();
  run.rows = {run.rows[2], run.rows[3]};
  EXPECT_EQ(bencher_metrics(figures_of(run)), std::nullopt);
}

}  // namespace
