#include "results/aggregates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::Pair;

namespace {

row repetition(const std::string& name, unsigned index, double time, double rate) {
  row r;
  r.name = name;
  r.repetition = index;
  r.repetitions = 3;
  r.threads = 2;
  r.iterations = 100;
  r.real_time = time;
  r.cpu_time = time / 2;
  r.counters["items_per_second"] = rate;
  return r;
}

std::vector<std::string> described(const std::vector<row>& rows) {
  std::vector<std::string> names;
  for (const auto& r : rows) {
    constexpr const char* kinds[] = {"mean", "median", "stddev", "cv"};
    names.push_back(r.name + " " +
                    (r.kind ? kinds[static_cast<int>(*r.kind)] : std::to_string(r.repetition)));
  }
  return names;
}

TEST(Aggregates, KnownAnswers) {
  const auto rows =
      with_aggregates({repetition("a", 0, 10, 2), repetition("a", 1, 20, 4), repetition("a", 2, 60, 3)});
  ASSERT_THAT(described(rows), ElementsAre("a 0", "a 1", "a 2", "a mean", "a median", "a stddev", "a cv"));
  const auto& mean = rows[3];
  EXPECT_EQ(mean.iterations, 3U);
  EXPECT_EQ(mean.repetitions, 3U);
  EXPECT_EQ(mean.threads, 2U);
  EXPECT_DOUBLE_EQ(mean.real_time.value(), 30);
  EXPECT_DOUBLE_EQ(mean.cpu_time.value(), 15);
  EXPECT_DOUBLE_EQ(mean.counters.at("items_per_second"), 3);
  EXPECT_DOUBLE_EQ(rows[4].real_time.value(), 20);
  EXPECT_DOUBLE_EQ(rows[4].counters.at("items_per_second"), 3);
  EXPECT_DOUBLE_EQ(rows[5].real_time.value(), std::sqrt(700.0));
  EXPECT_DOUBLE_EQ(rows[5].counters.at("items_per_second"), 1);
  EXPECT_DOUBLE_EQ(rows[6].real_time.value(), std::sqrt(700.0) / 30);
  EXPECT_DOUBLE_EQ(rows[6].counters.at("items_per_second"), 1.0 / 3);
}

TEST(Aggregates, InterleavedRepetitionsAreBroughtTogetherInOrder) {
  const auto rows =
      with_aggregates({repetition("b", 1, 1, 1), repetition("a", 0, 1, 1), repetition("b", 0, 1, 1)});
  EXPECT_THAT(described(rows), ElementsAre("b 0", "b 1", "b mean", "b median", "b stddev", "b cv", "a 0"));
}

TEST(Aggregates, FailedRepetitionsDoNotCount) {
  auto failed = repetition("a", 1, 1e9, 0);
  failed.error_message = "server gone";
  const auto rows = with_aggregates({repetition("a", 0, 10, 2), failed, repetition("a", 2, 30, 4)});
  ASSERT_THAT(described(rows), ElementsAre("a 0", "a 1", "a 2", "a mean", "a median", "a stddev", "a cv"));
  EXPECT_EQ(rows[3].iterations, 2U);
  EXPECT_DOUBLE_EQ(rows[3].real_time.value(), 20);
}

TEST(Aggregates, OneGoodRepetitionHasNone) {
  auto failed = repetition("a", 1, 0, 0);
  failed.error_message = "";
  EXPECT_THAT(described(with_aggregates({repetition("a", 0, 10, 2), failed})), ElementsAre("a 0", "a 1"));
  EXPECT_THAT(with_aggregates({}), IsEmpty());
}

TEST(Aggregates, FiguresThatARepetitionLacksHaveNone) {
  auto first = repetition("a", 0, 10, 2);
  auto second = repetition("a", 1, 20, 4);
  first.counters["p999_ns"] = 5;
  second.counters["p99_ns"] = 5;
  first.counters["broken"] = 5;
  second.counters["broken"] = std::numeric_limits<double>::quiet_NaN();
  second.cpu_time.reset();
  const auto rows = with_aggregates({first, second});
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_THAT(rows[2].counters, ElementsAre(Key("items_per_second")));
  EXPECT_TRUE(rows[2].real_time);
  EXPECT_FALSE(rows[2].cpu_time);
}

TEST(Aggregates, PercentilesAreNeverAveragedButTheirSpreadIsShown) {
  auto first = repetition("a", 0, 10, 2);
  auto second = repetition("a", 1, 20, 4);
  for (const auto* name : {"p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns", "mean_ns"}) {
    first.counters[name] = 100;
    second.counters[name] = 300;
  }
  const auto rows = with_aggregates({first, second});
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_THAT(rows[2].counters, ElementsAre(Key("items_per_second")));
  EXPECT_THAT(rows[3].counters, ElementsAre(Key("items_per_second")));
  EXPECT_EQ(rows[4].counters.size(), 7U);
  EXPECT_DOUBLE_EQ(rows[4].counters.at("p99_ns"), std::sqrt(20'000.0));
  EXPECT_DOUBLE_EQ(rows[5].counters.at("p99_ns"), std::sqrt(20'000.0) / 200);
}

TEST(Aggregates, ACounterThatIsAlwaysZeroHasNoCoefficientOfVariation) {
  const auto rows = with_aggregates({repetition("a", 0, 10, 0), repetition("a", 1, 20, 0)});
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_THAT(rows[4].counters, ElementsAre(Pair("items_per_second", 0)));
  EXPECT_THAT(rows[5].counters, IsEmpty());
}

TEST(Aggregates, AreMadeAnewFromTheRepetitions) {
  const auto once = with_aggregates({repetition("a", 0, 10, 2), repetition("a", 1, 20, 4)});
  EXPECT_EQ(with_aggregates(once), once);
}

}  // namespace
