#include "results/cell_group.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

using namespace dbdyno::results;
using testing::SizeIs;

namespace {

row repetition(unsigned index, std::string name) {
  row r;
  r.name = std::move(name);
  r.repetition = index;
  return r;
}

cell judged(unsigned index, std::string name, verdict_level level) {
  return {.name = std::move(name),
          .repetition = index,
          .judged = verdict{.level = level, .reasons = {}},
          .errors = {}};
}

TEST(CellGroups, LeaveStatisticsOutAndComeInTheOrderOfTheirNumbers) {
  run_file run;
  run.rows = {repetition(0, "a/b/c/d/conns:16"), repetition(0, "a/b/c/d/conns:8"),
              repetition(1, "a/b/c/d/conns:16"), repetition(0, "a/b/c/d/conns:8")};
  run.rows[3].kind = statistic::mean;
  const auto groups = groups_of(run);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[0].name, "a/b/c/d/conns:8");
  EXPECT_THAT(groups[0].repetitions, SizeIs(1));
  EXPECT_THAT(groups[1].repetitions, SizeIs(2));
}

TEST(CellGroups, GiveRowsOfOneNameAndRepetitionTheirOwnDetails) {
  run_file run;
  run.rows = {repetition(0, "a"), repetition(0, "a"), repetition(0, "a")};
  run.cells = {judged(0, "a", verdict_level::valid), judged(0, "a", verdict_level::invalid)};
  const auto groups = groups_of(run);
  ASSERT_THAT(groups, SizeIs(1));
  ASSERT_THAT(groups[0].repetitions, SizeIs(3));
  EXPECT_EQ(groups[0].repetitions[0].details, &run.cells[0]);
  EXPECT_EQ(groups[0].repetitions[1].details, &run.cells[1]);
  EXPECT_EQ(groups[0].repetitions[2].details, nullptr);
}

TEST(Standing, OfARepetitionIsItsVerdictUnlessItFailed) {
  row r = repetition(0, "a");
  cell c = judged(0, "a", verdict_level::suspect);
  EXPECT_EQ(standing_of({.figures = &r, .details = nullptr}), standing::unjudged);
  EXPECT_EQ(standing_of({.figures = &r, .details = &c}), standing::suspect);
  c.judged->level = verdict_level::invalid;
  EXPECT_EQ(standing_of({.figures = &r, .details = &c}), standing::invalid);
  c.judged.reset();
  EXPECT_EQ(standing_of({.figures = &r, .details = &c}), standing::unjudged);
  r.error_message = "no";
  EXPECT_EQ(standing_of({.figures = &r, .details = &c}), standing::failed);
  EXPECT_EQ(to_string(standing::failed), "failed");
}

}  // namespace
