#include "results/compare/contender.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "results/compare/synthetic_run.hpp"

namespace dbdyno::results {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(line_up, finds_what_files_have_in_common_and_lists_the_rest) {
  std::vector<run_file> runs{empty_run(), empty_run()};
  add_cell(runs[0], "get/redis/wire/sync", {1, 2, 3});
  add_cell(runs[0], "only/redis/wire/sync", {1});
  add_cell(runs[1], "get/redis/wire/sync/manual_time", {4, 5});
  const line_up lines = side_by_side(runs, {"a", "b"});
  EXPECT_THAT(lines.cells, ElementsAre("get/redis/wire/sync"));
  EXPECT_THAT(lines.in_one_only, ElementsAre("only/redis/wire/sync (a)"));
  EXPECT_THAT(lines.sides[0].cells.at("get/redis/wire/sync").rows, SizeIs(3));
  EXPECT_THAT(lines.sides[1].cells.at("get/redis/wire/sync").rows, SizeIs(2));
}

TEST(line_up, counts_neither_what_errored_nor_what_is_invalid) {
  std::vector<run_file> runs{empty_run()};
  add_cell(runs[0], "get/redis/wire/sync", {1, 2, 3, 4});
  runs[0].rows[1].error_message = "connection reset";
  runs[0].cells[2].judged = verdict{verdict_level::invalid, {"a reply was wrong"}};
  runs[0].cells[3].judged = verdict{verdict_level::suspect, {"drift"}};
  const cell_sample sample = side_by_side(runs, {"a"}).sides[0].cells.at("get/redis/wire/sync");
  EXPECT_THAT(sample.rows, SizeIs(2));
  EXPECT_EQ(sample.errored, 1U);
  EXPECT_EQ(sample.invalid, 1U);
  EXPECT_EQ(sample.suspect, 1U);
  EXPECT_EQ(sample.why_not, "connection reset");
}

TEST(line_up, takes_the_mean_where_a_file_has_statistics_only) {
  std::vector<run_file> runs{empty_run()};
  add_cell(runs[0], "get/redis/wire/sync", {5});
  runs[0].rows[0].kind = statistic::mean;
  const cell_sample sample = side_by_side(runs, {"a"}).sides[0].cells.at("get/redis/wire/sync");
  EXPECT_THAT(sample.rows, SizeIs(1));
  EXPECT_TRUE(sample.only_statistics);
}

TEST(line_up, by_a_part_of_the_names) {
  std::vector<run_file> runs{empty_run()};
  add_cell(runs[0], "get/null/null/sync", {9});
  add_cell(runs[0], "get/redis/wire/sync/transport:tcp", {1});
  add_cell(runs[0], "get/redis/hiredis/sync/transport:tcp", {2});
  add_cell(runs[0], "get/redis/wire/sync/transport:unix", {3});
  const auto by = [&](std::string_view part, std::string_view baseline) {
    return by_part(runs, {"a"}, part, baseline).at(0);
  };
  const line_up drivers = by("driver", "");
  EXPECT_EQ(drivers.file, "a");
  ASSERT_THAT(drivers.sides, SizeIs(2));
  EXPECT_EQ(drivers.sides[0].label, "redis/hiredis");
  EXPECT_EQ(drivers.sides[1].label, "redis/wire");
  EXPECT_THAT(drivers.cells, ElementsAre("get/*/sync/transport:tcp"));
  EXPECT_THAT(drivers.in_one_only, ElementsAre("get/*/sync/transport:unix (redis/wire)"));
  EXPECT_THAT(drivers.remarks, ElementsAre(HasSubstr("controls")));

  const line_up transports = by("transport", "");
  EXPECT_THAT(transports.cells, ElementsAre("get/redis/wire/sync/transport:*"));
  EXPECT_THAT(by("driver", "null/null").sides, SizeIs(3));
  try {
    by("colour", "");
    FAIL() << "there is no such part";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("'colour'; there are workload, storage, driver, mode, transport"));
  }
}

TEST(line_up, by_a_part_of_the_names_within_each_of_several_files) {
  std::vector<run_file> runs(4, empty_run());
  for (const std::size_t i : {0U, 1U}) {
    add_cell(runs[i], "get/redis/wire/sync/transport:tcp", {1});
    add_cell(runs[i], "get/redis/wire/sync/transport:unix", {2});
  }
  add_cell(runs[1], "get/redis/wire/sync/transport:inproc", {3});
  add_cell(runs[2], "get/redis/wire/sync/transport:tcp", {4});
  add_cell(runs[3], "get/memory/map/sync", {5});
  const std::vector<line_up> each = by_part(runs, {"a", "b", "c", "d"}, "transport", "");
  ASSERT_THAT(each, SizeIs(4));
  for (const line_up& lines : each) {
    ASSERT_THAT(lines.sides, SizeIs(3)) << "a side that one file has, all have";
    EXPECT_EQ(lines.sides[0].label, "inproc");
  }
  EXPECT_THAT(each[0].sides[0].cells, SizeIs(0));
  EXPECT_THAT(each[0].cells, ElementsAre("get/redis/wire/sync/transport:*"));
  EXPECT_EQ(each[1].sides[2].cells.at(each[1].cells[0]).rows[0], &runs[1].rows[1]);
  EXPECT_THAT(each[2].cells, SizeIs(0));
  EXPECT_THAT(each[2].remarks, ElementsAre("c: no benchmark differs in its transport alone"));
  EXPECT_THAT(each[3].remarks, ElementsAre("d: no benchmark's name has a part 'transport'"));
}

TEST(line_up, by_a_part_across_files) {
  std::vector<run_file> runs{empty_run(), empty_run()};
  add_cell(runs[0], "get/redis/wire/async/transport:tcp/conns:50", {1, 2});
  add_cell(runs[0], "get/mysql/text/async/transport:tcp/conns:50", {3});
  add_cell(runs[0], "get/memory/map/sync", {9});
  add_cell(runs[1], "get/redis/memtier_benchmark/async/transport:tcp/conns:50", {4});
  add_cell(runs[1], "get/redis/wire/async/transport:tcp/conns:50", {5});
  const line_up lines = by_part_across(runs, {"ours", "theirs"}, "driver", "");
  std::vector<std::string> sides;
  for (const contender& side : lines.sides) sides.push_back(side.label);
  EXPECT_THAT(sides, ElementsAre("memory/map", "mysql/text", "redis/memtier_benchmark", "redis/wire (ours)",
                                 "redis/wire (theirs)"));
  EXPECT_THAT(lines.cells, ElementsAre("get/*/async/transport:tcp/conns:50"));
  EXPECT_THAT(lines.in_one_only, ElementsAre("get/*/sync (memory/map)"));
  EXPECT_EQ(lines.sides[4].cells.begin()->second.rows.size(), 1U);
  const line_up by_conns = by_part_across(runs, {"ours", "theirs"}, "conns", "");
  EXPECT_THAT(
      by_conns.remarks,
      ElementsAre(
          "ours: 1 of 3 benchmarks have no part 'conns' and are left out, get/memory/map/sync the first"));
}

}  // namespace
}  // namespace dbdyno::results
