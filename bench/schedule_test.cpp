#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bench/plan.hpp"

namespace dbdyno {
namespace {

std::vector<planned_cell> cells_with(std::size_t cells, unsigned repetitions) {
  std::vector<planned_cell> out(cells);
  for (planned_cell& one : out) one.length.repetitions = repetitions;
  return out;
}

std::vector<scheduled_row> schedule(std::size_t cells, unsigned repetitions, std::uint64_t seed) {
  return schedule(cells_with(cells, repetitions), seed);
}

TEST(schedule, runs_every_cell_once_before_any_cell_twice) {
  const auto rows = schedule(7, 3, 1);
  ASSERT_EQ(rows.size(), 21U);
  for (unsigned repetition = 0; repetition < 3; ++repetition) {
    std::set<std::size_t> cells;
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_EQ(rows[repetition * 7 + i].repetition, repetition);
      cells.insert(rows[repetition * 7 + i].cell);
    }
    EXPECT_EQ(cells.size(), 7U);
  }
}

std::vector<std::size_t> cells_of(const std::vector<scheduled_row>& rows) {
  std::vector<std::size_t> out;
  for (const scheduled_row& row : rows) out.push_back(row.cell);
  return out;
}

TEST(schedule, follows_from_the_seed_alone) {
  EXPECT_EQ(cells_of(schedule(20, 4, 42)), cells_of(schedule(20, 4, 42)));
  EXPECT_NE(cells_of(schedule(20, 4, 42)), cells_of(schedule(20, 4, 43)));
}

TEST(schedule, has_an_order_of_its_own_in_every_round) {
  const auto cells = cells_of(schedule(20, 2, 1));
  EXPECT_NE(std::vector(cells.begin(), cells.begin() + 20), std::vector(cells.begin() + 20, cells.end()));
}

TEST(schedule, runs_an_echo_right_after_the_cell_it_stands_beside) {
  std::vector<planned_cell> cells = cells_with(6, 3);
  cells[1].layers = layer_cells{.null = 0, .echo = 4};
  cells[2].layers = layer_cells{.null = 0, .echo = 5};
  const auto rows = schedule(cells, 1);
  ASSERT_EQ(rows.size(), 18U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].cell == 4) {
      EXPECT_EQ(rows[i - 1].cell, 1U);
    }
    if (rows[i].cell == 5) {
      EXPECT_EQ(rows[i - 1].cell, 2U);
    }
  }
}

TEST(schedule, runs_all_that_a_percentage_is_taken_of_before_anything_else) {
  std::vector<planned_cell> cells = cells_with(5, 3);
  cells[0].maximum = 3;
  cells[4].maximum = 3;
  cells[2].length.repetitions = 1;
  const auto rows = schedule(cells, 1);
  ASSERT_EQ(rows.size(), 13U);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].cell == 3, i < 3) << i;
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const scheduled_row& r) { return r.cell == 2; }), 1);
}

}  // namespace
}  // namespace dbdyno
