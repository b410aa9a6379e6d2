#include "results/imports/distinct_repetitions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/example_run.hpp"

namespace dbdyno::results {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

row repetition_of(const std::string& name, unsigned repetition) {
  row out;
  out.name = name;
  out.repetition = repetition;
  return out;
}

std::vector<unsigned> repetitions_of(const std::string& name, const run_file& run) {
  std::vector<unsigned> out;
  for (const row& each : run.rows)
    if (each.name == name && !each.kind) out.push_back(each.repetition);
  return out;
}

TEST(distinct_repetitions, leave_a_run_as_it_is_that_tells_them_apart) {
  run_file run = example_run();
  EXPECT_THAT(make_repetitions_distinct(run), IsEmpty());
  EXPECT_EQ(run, example_run());
}

TEST(distinct_repetitions, number_what_comes_again_after_the_last_with_all_that_is_known_of_it) {
  run_file run;
  run.rows = {repetition_of("a", 0), repetition_of("b", 0), repetition_of("a", 0),
              repetition_of("a", 1), repetition_of("a", 0), repetition_of("a", 1)};
  for (const row& each : run.rows)
    run.cells.push_back({.name = each.name, .repetition = each.repetition, .judged = {}, .errors = {}});
  for (std::size_t i = 0; i < run.cells.size(); ++i) run.cells[i].start_s = static_cast<double>(i);
  EXPECT_THAT(
      make_repetitions_distinct(run),
      ElementsAre("3 rows with the name and repetition of another one, so further repetitions of it; the "
                  "first is a"));
  EXPECT_THAT(repetitions_of("a", run), ElementsAre(0, 2, 1, 3, 4));
  EXPECT_THAT(repetitions_of("b", run), ElementsAre(0));
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    EXPECT_EQ(run.cells[i].repetition, run.rows[i].repetition);
    EXPECT_EQ(run.cells[i].start_s, static_cast<double>(i));
  }
}

TEST(distinct_repetitions, pass_over_statistics) {
  run_file run;
  run.rows = {repetition_of("a", 0), repetition_of("a", 0), repetition_of("a", 0)};
  run.rows[1].kind = statistic::mean;
  run.rows[2].kind = statistic::median;
  EXPECT_THAT(make_repetitions_distinct(run), IsEmpty());
}

}  // namespace
}  // namespace dbdyno::results
