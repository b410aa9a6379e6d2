#include "results/report/cell_summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "results/example_run.hpp"

using namespace dbdyno::results;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

namespace {

constexpr const char* get = "get/redis/wire/sync/transport:tcp/manual_time";

row repetition(unsigned index, double rate, const std::string& name = get) {
  row r;
  r.name = name;
  r.repetition = index;
  r.repetitions = 3;
  r.iterations = 1000;
  r.counters = {{"items_per_second", rate}, {"client_cpu_ns_per_op", 1e9 / rate}};
  return r;
}

cell judged(unsigned index, verdict_level level, std::vector<std::string> reasons = {}) {
  return {.name = get, .repetition = index, .judged = verdict{level, std::move(reasons)}, .errors = {}};
}

cell with_histogram(unsigned index, std::uint64_t latency, std::uint64_t times) {
  histogram h;
  h.record(latency, times);
  auto one = judged(index, verdict_level::valid);
  one.histograms["ok"] = to_record(h);
  return one;
}

cell_summary only(const run_file& run) {
  const auto groups = groups_of(run);
  EXPECT_THAT(groups, SizeIs(1));
  return summarise(groups.at(0));
}

TEST(CellSummary, LeavesOutInvalidAndFailedRepetitions) {
  run_file run;
  run.rows = {repetition(0, 100), repetition(1, 900), repetition(2, 110), repetition(3, 5)};
  run.rows[3].error_message = "no";
  run.cells = {judged(0, verdict_level::valid), judged(1, verdict_level::invalid),
               judged(2, verdict_level::suspect)};
  const auto cell = only(run);
  EXPECT_EQ(cell.level, standing::suspect);
  EXPECT_EQ(cell.measured, 4U);
  EXPECT_EQ(cell.counted, 2U);
  EXPECT_DOUBLE_EQ(cell.figures.at("ops").mean, 105);
  EXPECT_NEAR(cell.figures.at("ops").interval->high, 105 + 12.7062 * 5, 1e-3);
  EXPECT_THAT(cell.messages, ElementsAre(Field(&counted_text::text, "no")));
}

TEST(CellSummary, OfInvalidRepetitionsOnlyShowsThemAsInvalid) {
  run_file run;
  run.rows = {repetition(0, 100)};
  run.cells = {judged(0, verdict_level::invalid)};
  EXPECT_EQ(only(run).level, standing::invalid);
  EXPECT_DOUBLE_EQ(only(run).figures.at("ops").mean, 100);
}

TEST(CellSummary, OfFailedRepetitionsOnlyHasNoFigures) {
  run_file run;
  run.rows = {repetition(0, 100)};
  run.rows[0].error_message = "no";
  EXPECT_EQ(only(run).level, standing::failed);
  EXPECT_THAT(only(run).figures, IsEmpty());
}

TEST(CellSummary, OfOneRepetitionHasNoInterval) {
  run_file run;
  run.rows = {repetition(0, 100)};
  EXPECT_EQ(only(run).level, standing::unjudged);
  EXPECT_FALSE(only(run).figures.at("ops").interval);
}

TEST(CellSummary, TakesTheTimeWhereThereIsNoRate) {
  run_file run;
  run.rows = {repetition(0, 100)};
  run.rows[0].counters.clear();
  run.rows[0].real_time = 2000;
  EXPECT_DOUBLE_EQ(only(run).figures.at("ops").mean, 500'000);
}

TEST(CellSummary, LacksAFigureThatOneRepetitionLacks) {
  run_file run;
  run.rows = {repetition(0, 100), repetition(1, 100)};
  run.rows[1].counters.erase("client_cpu_ns_per_op");
  EXPECT_FALSE(only(run).figures.contains("client_cpu_ns_per_op"));
  EXPECT_TRUE(only(run).figures.contains("ops"));
}

TEST(CellSummary, MergesHistogramsBeforePercentilesAreTaken) {
  run_file run;
  run.rows = {repetition(0, 100), repetition(1, 100)};
  run.cells = {with_histogram(0, 1000, 9'000), with_histogram(1, 2000, 1'000)};
  const auto latency = only(run).latency.value();
  EXPECT_TRUE(latency.merged);
  EXPECT_EQ(latency.count, 10'000U);
  EXPECT_DOUBLE_EQ(latency.figures.at("p90"), 1000);  // the median of the repetitions' would be 1500
  EXPECT_DOUBLE_EQ(latency.figures.at("p99"), 2000);
  EXPECT_FALSE(latency.figures.contains("p9999"));
  EXPECT_EQ(latency.p99_range, std::pair(1000.0, 2000.0));
  EXPECT_EQ(latency.lowest.front(), 1000U);
  EXPECT_EQ(latency.highest.front(), 2000U);
  EXPECT_EQ(latency.lowest.size(), latency.highest.size());
}

TEST(CellSummary, WithoutHistogramsTakesTheMedianOfTheRepetitionsPercentiles) {
  run_file run;
  run.rows = {repetition(0, 1), repetition(1, 1), repetition(2, 1)};
  for (unsigned i = 0; i < 3; ++i) run.rows[i].counters["p99_ns"] = 10.0 * (i + 1);
  const auto latency = only(run).latency.value();
  EXPECT_FALSE(latency.merged);
  EXPECT_DOUBLE_EQ(latency.figures.at("p99"), 20);
  EXPECT_THAT(latency.curve, IsEmpty());
}

TEST(CellSummary, CountsReasonsThatDifferInTheirNumbersTogether) {
  run_file run;
  run.rows = {repetition(0, 1), repetition(1, 1), repetition(2, 1)};
  run.cells = {judged(0, verdict_level::suspect, {"few samples: 12", "drift: 1.05e+04 and 2e-3"}),
               judged(1, verdict_level::suspect, {"drift: 9 and 7.5"}), judged(2, verdict_level::valid)};
  const auto cell = only(run);
  ASSERT_THAT(cell.reasons, SizeIs(2));
  EXPECT_EQ(cell.reasons[0].text, "drift: 1.05e+04 and 2e-3");
  EXPECT_EQ(cell.reasons[0].count, 2U);
}

TEST(CellSummary, GivesRowsOfOneNameAndRepetitionTheirOwnDetails) {
  run_file run;
  run.rows = {repetition(0, 1), repetition(0, 1)};
  run.cells = {with_histogram(0, 1000, 600), with_histogram(0, 3000, 400)};
  EXPECT_EQ(only(run).latency->count, 1000U);
}

TEST(CellSummary, NamesTheRepetitionWhoseHistogramCannotBeRead) {
  run_file run;
  run.rows = {repetition(0, 1)};
  run.cells = {with_histogram(0, 1000, 600)};
  run.cells[0].histograms["ok"].data = "damaged";
  EXPECT_THAT([&] { only(run); },
              ThrowsMessage<std::runtime_error>(AllOf(HasSubstr(get), HasSubstr("repetition 0"))));
}

TEST(Layers, AreThoseOfTheFileIfItHasThem) {
  EXPECT_EQ(layers_of(example_run()), example_run().layer_splits);
}

TEST(Layers, AreToldFromNullAndEchoRowsOfTheSameShape) {
  run_file run;
  for (const unsigned index : {0U, 1U}) {
    run.rows.push_back(repetition(index, 1e9 / (100 + index), "get/null/null/sync/manual_time"));
    run.rows.push_back(
        repetition(index, 1e9 / (1100 + index), "get/echo/socket/sync/transport:tcp/manual_time"));
    run.rows.push_back(repetition(index, 1e9 / (3100 + index), get));
    run.rows.push_back(repetition(index, 1e6, "get/redis/wire/sync/transport:unix/manual_time"));
  }
  const auto split = layers_of(run);
  ASSERT_THAT(split, SizeIs(2));
  EXPECT_EQ(split[0].name, get);
  EXPECT_EQ(split[0].metric, "time");
  EXPECT_EQ(split[1].metric, "client_cpu");
  EXPECT_NEAR(split[0].harness->mean, 100.5, 1e-6);
  EXPECT_NEAR(split[0].wire->mean, 1000, 1e-6);
  EXPECT_NEAR(split[0].library->mean, 2000, 1e-6);
  EXPECT_NEAR(split[0].library->high - split[0].library->low, 0, 1e-6);
}

TEST(Layers, AreToldFromRepetitionsThatCountOnly) {
  const std::string null = "get/null/null/sync/manual_time";
  const std::string echo = "get/echo/socket/sync/transport:tcp/manual_time";
  const auto invalid = [](const std::string& name, unsigned index) {
    auto one = judged(index, verdict_level::invalid);
    one.name = name;
    return one;
  };
  run_file run;
  for (unsigned index = 0; index < 5; ++index) {
    run.rows.push_back(repetition(index, 1e9 / (index == 0 ? 5e6 : 100), null));
    run.rows.push_back(repetition(index, 1e9 / (index == 1 ? 5e6 : 1100), echo));
    run.rows.push_back(repetition(index, 1e9 / (index == 2 ? 5e6 : 3100), get));
  }
  run.cells = {invalid(null, 0), invalid(echo, 1), invalid(get, 2)};
  const auto split = layers_of(run);
  ASSERT_THAT(split, SizeIs(2));
  for (const layers& each : split) {
    EXPECT_NEAR(each.harness->mean, 100, 1e-6);
    EXPECT_NEAR(each.wire->mean, 1000, 1e-6);
    EXPECT_NEAR(each.library->mean, 2000, 1e-6);
  }
  run.cells.clear();
  EXPECT_GT(layers_of(run)[0].harness->mean, 1000);
}

}  // namespace
