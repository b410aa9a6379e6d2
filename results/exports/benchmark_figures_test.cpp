#include "results/exports/benchmark_figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <utility>

#include "results/exports/scripted_results.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::ThrowsMessage;

namespace {

using range = std::pair<double, double>;

benchmark_figures first_of(const run_file& run) {
  auto all = figures_of(run);
  EXPECT_FALSE(all.empty());
  return all.at(0);
}

TEST(BenchmarkFigures, AreTheMediansOfTheRepetitionsThatCountWithTheirRange) {
  const auto of = first_of(scripted_results());
  EXPECT_EQ(of.name, scripted_name);
  EXPECT_EQ(of.label, "get/redis/wire/sync/transport:tcp");
  EXPECT_EQ(of.figures.at("items_per_second").value, 200);
  EXPECT_EQ(of.figures.at("items_per_second").range, range(100, 300));
  EXPECT_EQ(of.figures.at("iterations").value, 1500);
  EXPECT_EQ(of.figures.at("cpu_time").value, 4000);
  EXPECT_THAT(of.repetitions, ElementsAre(Pair(standing::valid, 1), Pair(standing::suspect, 1),
                                          Pair(standing::invalid, 1), Pair(standing::failed, 1)));
  EXPECT_THAT(of.errors, ElementsAre(Pair("disconnected", 16), Pair("timeout", 1)));
}

TEST(BenchmarkFigures, TakePercentilesFromMergedHistograms) {
  const auto of = first_of(scripted_results());
  EXPECT_EQ(of.figures.at("p50_ns").value, 1000) << "the rank 1,000 of 2,000; no mean of two percentiles";
  EXPECT_EQ(of.figures.at("p50_ns").range, range(1000, 3001));
  EXPECT_EQ(of.figures.at("p90_ns").value, 3001);
  EXPECT_EQ(of.figures.at("p99_ns").range, range(1000, 3001));
  EXPECT_EQ(of.figures.at("max_ns").value, 3000);
  EXPECT_EQ(of.figures.at("mean_ns").value, 2000);
  EXPECT_FALSE(of.figures.contains("p999_ns")) << "2 operations lie beyond";
  EXPECT_EQ(of.latency->count, 2000U);
  EXPECT_EQ(of.latency->sum_ns, 4'000'000U);
  EXPECT_FALSE(of.service);
}

TEST(BenchmarkFigures, LeaveOutAPercentilesRangeThatOneRepetitionDoesNotSupport) {
  auto run = scripted_results();
  histogram few;
  few.record(1000, 100);
  run.cells[0].histograms["ok"] = to_record(few);
  const auto of = first_of(run);
  EXPECT_EQ(of.figures.at("p99_ns").value, 3001);
  EXPECT_EQ(of.figures.at("p99_ns").range, std::nullopt);
  EXPECT_EQ(of.figures.at("p50_ns").range, range(1000, 3001));
}

TEST(BenchmarkFigures, HaveServiceTimesBesideLatencies) {
  auto run = scripted_results();
  run.rows.resize(2);
  for (cell& each : run.cells)
    each.histograms["service"] = scripted_cell(0, verdict_level::valid, 500).histograms["ok"];
  const auto of = first_of(run);
  EXPECT_EQ(of.figures.at("service_p50_ns").value, 500);
  EXPECT_EQ(of.figures.at("p50_ns").value, 1000);
  EXPECT_EQ(of.service->sum_ns, 1'000'000U);
}

TEST(BenchmarkFigures, OfASingleRepetitionWithoutHistogramsAreItsOwn) {
  const auto of = figures_of(scripted_results()).at(1);
  EXPECT_EQ(of.label, scripted_import);
  EXPECT_EQ(of.figures.at("p95_ns").value, 900);
  EXPECT_EQ(of.figures.at("p95_ns").range, std::nullopt);
  EXPECT_EQ(of.figures.at("items_per_second").range, std::nullopt);
  EXPECT_FALSE(of.figures.contains("cpu_time"));
  EXPECT_FALSE(of.latency);
  EXPECT_FALSE(of.unmerged);
}

TEST(BenchmarkFigures, NeverAverageThePercentilesOfRepetitionsWithoutHistograms) {
  auto run = scripted_results();
  run.cells[1].histograms.clear();
  const auto of = first_of(run);
  EXPECT_FALSE(of.figures.contains("p50_ns"));
  EXPECT_FALSE(of.figures.contains("max_ns"));
  EXPECT_TRUE(of.unmerged);
  EXPECT_EQ(of.figures.at("items_per_second").value, 200);
}

TEST(BenchmarkFigures, LackWhatOneRepetitionLacks) {
  auto run = scripted_results();
  run.rows[1].counters["client_cpu_ns_per_op"] = std::numeric_limits<double>::quiet_NaN();
  run.rows[0].counters["only_here"] = 1;
  const auto of = first_of(run);
  EXPECT_FALSE(of.figures.contains("client_cpu_ns_per_op"));
  EXPECT_FALSE(of.figures.contains("only_here"));
}

TEST(BenchmarkFigures, AreNoneWhereNoRepetitionCounts) {
  auto run = scripted_results();
  run.rows.erase(run.rows.begin(), run.rows.begin() + 2);
  const auto of = first_of(run);
  EXPECT_THAT(of.figures, IsEmpty());
  EXPECT_THAT(of.repetitions, ElementsAre(Pair(standing::invalid, 1), Pair(standing::failed, 1)));
}

TEST(BenchmarkFigures, ComeFromAStatisticWhereThereIsNothingElse) {
  run_file run;
  run.rows = {scripted_row(0, 100), scripted_row(0, 200), scripted_row(0, 300)};
  run.rows[0].kind = statistic::mean;
  run.rows[1].kind = statistic::median;
  run.rows[2].kind = statistic::stddev;
  const auto all = figures_of(run);
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].figures.at("items_per_second").value, 200);
  EXPECT_FALSE(all[0].figures.contains("p50_ns")) << "somebody averaged it";
  EXPECT_THAT(all[0].repetitions, IsEmpty());
}

TEST(BenchmarkFigures, HaveLabelsThatDifferAndThatReadersTake) {
  run_file run;
  for (const char* name : {"a/b/c/d", "a/b/c/d/manual_time", " x\n", "", "\t"}) {
    run.rows.push_back(scripted_row(0, 1));
    run.rows.back().name = name;
  }
  std::vector<std::string> labels;
  for (const auto& each : figures_of(run)) labels.push_back(each.label);
  EXPECT_THAT(labels, ElementsAre("unnamed", "unnamed#2", "x", "a/b/c/d", "a/b/c/d#2"));
}

TEST(BenchmarkFigures, NameTheHistogramThatCannotBeRead) {
  auto run = scripted_results();
  run.cells[1].histograms["ok"].data = "QQ==";
  EXPECT_THAT([&] { figures_of(run); }, ThrowsMessage<std::runtime_error>(HasSubstr(
                                            "transport:tcp/manual_time, repetition 1, histogram \"ok\": ")));
}

TEST(LeftOut, SaysHowManyAndWhy) {
  EXPECT_THAT(left_out(scripted_results()),
              ElementsAre("get/redis/wire/sync/transport:tcp/manual_time: 2 of 4 repetitions left out: "
                          "invalid: target rate missed"));
  auto run = scripted_results();
  run.rows.erase(run.rows.begin() + 2);
  EXPECT_THAT(left_out(run),
              ElementsAre("get/redis/wire/sync/transport:tcp/manual_time: 1 of 3 repetitions left out: "
                          "the server said \"no\", twice"));
  run.rows.erase(run.rows.begin() + 2);
  EXPECT_THAT(left_out(run), IsEmpty());
}

}  // namespace
