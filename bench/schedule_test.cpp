#include <gtest/gtest.h>

#include <set>

#include "bench/plan.hpp"

namespace dbdyno {
namespace {

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

}  // namespace
}  // namespace dbdyno
