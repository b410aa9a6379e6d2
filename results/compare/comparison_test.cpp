#include "results/compare/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/compare/comparison_text.hpp"
#include "results/compare/synthetic_run.hpp"
#include "results/histogram.hpp"
#include "results/latency_record.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

const std::string cell = "get/redis/wire/sync";

/// Ten repetitions about `rate`, which differ by a little.
std::vector<double> about(double rate) {
  std::vector<double> out;
  for (int i = 0; i < 10; ++i) out.push_back(rate * (1 + 0.002 * ((i * 7) % 10 - 4.5)));
  return out;
}

class two_runs : public testing::Test {
 protected:
  comparison compared(comparison_settings settings = {}) {
    if (settings.metrics.empty()) settings.metrics = {find_metric("ops")};
    return compare({side_by_side(runs_, {"before", "after"})}, settings);
  }
  change first_change(const comparison_settings& settings = {}) {
    return *compared(settings).metrics.at(0).cells.at(0).sides.at(1).against_first;
  }

  std::vector<run_file> runs_{empty_run(), empty_run()};
};

TEST_F(two_runs, tell_a_change_beyond_the_noise) {
  add_cell(runs_[0], cell, about(1000));
  add_cell(runs_[1], cell, about(900));
  const change found = first_change();
  EXPECT_NEAR(found.ratio, 0.9, 1e-9);
  EXPECT_LT(*found.low, 0.9);
  EXPECT_GT(*found.high, 0.9);
  EXPECT_NEAR(*found.shift, 0.9, 0.01);
  EXPECT_LT(found.adjusted_p, 0.001);
  const metric& ops = *find_metric("ops");
  EXPECT_EQ(describe(found, ops, 0.05), "slower");
  EXPECT_TRUE(is_regression(found, ops, 0.05));
  EXPECT_FALSE(is_regression(found, ops, 0.2)) << "within the limit";
  EXPECT_FALSE(is_regression(found, *find_metric("p99"), 0.05)) << "a lower latency is no harm";
}

TEST_F(two_runs, are_the_same_where_the_interval_says_so) {
  add_cell(runs_[0], cell, about(1000));
  add_cell(runs_[1], cell, about(1001));
  EXPECT_EQ(describe(first_change(), *find_metric("ops"), 0.05), "same within 5 %");
}

TEST_F(two_runs, say_where_so_few_repetitions_can_show_nothing) {
  const auto add = [&](int number) {
    for (run_file& run : runs_)
      add_cell(run, cell + "/conns:" + std::to_string(number), {1000, 1001, 1002, 1003, 1004});
  };
  for (int number = 1; number <= 6; ++number) add(number);
  const char* const words = "no side can be called better or worse here";
  EXPECT_THAT(to_table(compared(), false), Not(HasSubstr(words))) << "six times 0.0079 is below 0.05";
  add(7);
  EXPECT_THAT(to_table(compared(), false),
              HasSubstr(std::string(words) + ": with so few repetitions p is 0.0079 at least, times 7"));
}

TEST_F(two_runs, are_not_the_same_for_being_rounded_alike) {
  for (run_file& run : runs_) {
    add_cell(run, cell, about(1000));
    for (row& each : run.rows) each.counters.insert({{"p50_ns", 5e6}, {"allocs_per_op", 3}});
  }
  const comparison all = compared({.metrics = {find_metric("p50"), find_metric("allocs")}});
  const compared_side& latency = all.metrics.at(0).cells.at(0).sides.at(1);
  EXPECT_EQ(latency.against_first->said, outcome::cannot_tell);
  EXPECT_THAT(latency.note, HasSubstr("all repetitions are alike, so rounded"));
  EXPECT_FALSE(latency.against_first->enough_repetitions);
  const compared_side& counted = all.metrics.at(1).cells.at(0).sides.at(1);
  EXPECT_EQ(counted.against_first->said, outcome::same) << "a count may well be exact";
  EXPECT_EQ(counted.note, "");

  for (row& each : runs_[1].rows) each.counters["p50_ns"] = 9e6;
  const comparison slower = compared({.metrics = {find_metric("p50")}});
  const compared_side& later = slower.metrics.at(0).cells.at(0).sides.at(1);
  EXPECT_TRUE(is_regression(*later.against_first, *find_metric("p50"), 0.05));
  EXPECT_THAT(later.note, HasSubstr("all repetitions are alike, so rounded"));
}

TEST_F(two_runs, cannot_tell_from_few_and_say_how_many_would_do) {
  add_cell(runs_[0], cell, {900, 1000, 1100});
  add_cell(runs_[1], cell, {850, 950, 1050});
  const change found = first_change();
  EXPECT_EQ(found.said, outcome::cannot_tell);
  ASSERT_TRUE(found.enough_repetitions);
  EXPECT_GT(*found.enough_repetitions, 10U);
  EXPECT_THAT(describe(found, *find_metric("ops"), 0.05), HasSubstr("repetitions would do"));
}

TEST_F(two_runs, say_how_many_would_find_a_change_of_the_margin_whatever_was_found) {
  add_cell(runs_[0], cell, about(1000));
  add_cell(runs_[1], cell, about(1001));
  const change same = first_change();
  EXPECT_EQ(same.said, outcome::same);
  ASSERT_TRUE(same.repetitions_for_margin);
  EXPECT_GE(*same.repetitions_for_margin, 4U);
  EXPECT_GT(first_change({.margin = 0.002}).repetitions_for_margin, same.repetitions_for_margin);
  EXPECT_THAT(to_json(compared()), HasSubstr("\"repetitions_for_margin\": "));
}

TEST_F(two_runs, need_few_repetitions_more_for_a_large_change) {
  // Five against five cannot be told apart in a family of 28, however far apart they are.
  for (int i = 0; i < 28; ++i) {
    const std::string name = cell + "/depth:" + std::to_string(i + 1);
    add_cell(runs_[0], name, {990, 995, 1000, 1005, 1010});
    add_cell(runs_[1], name, {4990, 4995, 5000, 5005, 5010});
  }
  const change found = first_change();
  EXPECT_EQ(found.said, outcome::cannot_tell);
  ASSERT_TRUE(found.enough_repetitions);
  EXPECT_GT(*found.enough_repetitions, 5U);
  EXPECT_LT(*found.enough_repetitions, 12U);
}

TEST_F(two_runs, have_p_corrected_over_all_cells_of_a_metric) {
  for (int i = 0; i < 20; ++i) {
    const std::string name = cell + "/depth:" + std::to_string(i + 1);
    add_cell(runs_[0], name, about(1000));
    add_cell(runs_[1], name, i == 0 ? about(900) : about(1000));
  }
  const comparison all = compared();
  EXPECT_EQ(all.metrics.at(0).family, 20U);
  const change found = *all.metrics.at(0).cells.at(0).sides.at(1).against_first;
  EXPECT_NEAR(found.adjusted_p, 20 * found.p, 1e-12);
}

TEST_F(two_runs, learn_from_earlier_ones_how_far_runs_differ) {
  add_cell(runs_[0], cell, about(1000));
  add_cell(runs_[1], cell, about(900));
  EXPECT_THAT(compared().remarks, Contains(HasSubstr("recorded apart")));
  comparison_settings settings;
  for (const double rate : {1000.0, 850.0, 1150.0, 950.0}) {
    settings.earlier.push_back(empty_run());
    add_cell(settings.earlier.back(), cell, about(rate));
  }
  const change found = first_change(settings);
  EXPECT_EQ(found.said, outcome::cannot_tell) << "runs of one thing differ by more";
  EXPECT_TRUE(found.no_number_would_do);
  EXPECT_LT(*found.low, 0.7);
  EXPECT_THAT(compared(settings).remarks, Not(Contains(HasSubstr("recorded apart"))));
  for (run_file& run : runs_) add_cell(run, "set/redis/wire/sync", about(1000));
  EXPECT_THAT(compared(settings).remarks, Contains(HasSubstr("for 1 of 2 comparisons by nothing")))
      << "the earlier ones did not set";
}

TEST_F(two_runs, show_invalid_cells_and_compare_them_with_nothing) {
  add_cell(runs_[0], cell, about(1000));
  add_cell(runs_[1], cell, about(500));
  for (results::cell& each : runs_[1].cells)
    each.judged = verdict{verdict_level::invalid, {"replies were wrong"}};
  const comparison all = compared({.metrics = {find_metric("ops"), find_metric("client_cpu")}});
  EXPECT_THAT(all.metrics, SizeIs(0)) << "there is nothing to compare";
  EXPECT_THAT(all.remarks,
              Contains(HasSubstr("get/redis/wire/sync (after): 10 INVALID: replies were wrong")));
  add_cell(runs_[0], "set/redis/wire/sync", about(1000));
  add_cell(runs_[1], "set/redis/wire/sync", about(1000));
  const comparison more = compared();
  const compared_side& invalid = more.metrics.at(0).cells.at(0).sides.at(1);
  EXPECT_FALSE(invalid.against_first);
  EXPECT_FALSE(invalid.value);
  EXPECT_EQ(invalid.note, "10 INVALID: replies were wrong");
  EXPECT_THAT(to_table(more, false), HasSubstr("10 INVALID: replies were wrong"));
}

TEST_F(two_runs, show_also_what_counts_on_no_side) {
  for (run_file& run : runs_) {
    add_cell(run, cell, about(1000));
    for (row& each : run.rows) each.error_message = "gone";
    add_cell(run, "set/redis/wire/sync", about(1000));
  }
  const comparison all = compared();
  ASSERT_THAT(all.metrics.at(0).cells, SizeIs(2));
  EXPECT_THAT(to_table(all, false), HasSubstr("get/redis/wire/sync       -      -"));
  EXPECT_THAT(to_csv(all), HasSubstr("get/redis/wire/sync,after,,0,,,,,,,,,,,,10 errored: gone"));
}

TEST_F(two_runs, say_how_many_repetitions_are_suspect) {
  add_cell(runs_[0], cell, about(1000));
  add_cell(runs_[1], cell, about(1000));
  runs_[1].cells[3].judged = verdict{verdict_level::suspect, {"drift"}};
  EXPECT_EQ(compared().metrics.at(0).cells.at(0).sides.at(1).note, "1 suspect");
}

/// Gives every repetition of a run latencies of 1 to `operations` times `step`, ns.
void add_latencies(run_file& run, std::uint64_t operations, std::uint64_t step) {
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    histogram durations;
    for (std::uint64_t n = 1; n <= operations; ++n) durations.record(n * step);
    run.cells[i].histograms = {{"ok", to_record(durations)}};
    if (const auto p99 = durations.supported_percentile(99))
      run.rows[i].counters["p99_ns"] = static_cast<double>(*p99);
  }
}

TEST_F(two_runs, are_compared_also_where_one_has_no_histograms) {
  add_cell(runs_[0], cell, about(1000));
  add_cell(runs_[1], cell, about(1000));
  add_latencies(runs_[0], 2000, 100);
  add_latencies(runs_[1], 2000, 200);
  runs_[1].cells[4].histograms.clear();
  const comparison all = compared({.metrics = {find_metric("p99")}});
  const compared_side& side = all.metrics.at(0).cells.at(0).sides.at(1);
  ASSERT_TRUE(side.against_first);
  EXPECT_NEAR(side.against_first->ratio, 2, 0.01);
  EXPECT_EQ(side.against_first->said, outcome::higher);
  EXPECT_THAT(side.note, HasSubstr("no histograms"));
}

TEST_F(two_runs, have_no_percentile_beyond_which_hardly_anything_lies) {
  add_cell(runs_[0], cell, about(1000));
  add_cell(runs_[1], cell, about(1000));
  // 10 repetitions: 9 operations of 900 lie beyond p99, and 10 of 1,000.
  add_latencies(runs_[0], 90, 100);
  add_latencies(runs_[1], 100, 300);
  const comparison all = compared({.metrics = {find_metric("p99"), find_metric("p50")}});
  ASSERT_THAT(all.metrics, SizeIs(1));
  EXPECT_EQ(all.metrics[0].what->name, "p50");
  add_latencies(runs_[0], 100, 100);
  const comparison more = compared({.metrics = {find_metric("p99")}});
  EXPECT_NEAR(more.metrics.at(0).cells.at(0).sides.at(1).against_first->ratio, 3, 0.01);
}

TEST_F(two_runs, name_the_histogram_that_cannot_be_read) {
  add_cell(runs_[0], cell, about(1000));
  add_cell(runs_[1], cell, about(1000));
  add_latencies(runs_[0], 2000, 100);
  add_latencies(runs_[1], 2000, 100);
  ++runs_[1].cells[7].histograms.at("ok").count;
  EXPECT_THAT(
      [&] { compared({.metrics = {find_metric("p99")}}); },
      testing::ThrowsMessage<result_file_error>(
          "after: get/redis/wire/sync, repetition 7: histogram 'ok': count 2001 contradicts the histogram"));
}

TEST_F(two_runs, stand_in_their_columns_also_where_the_first_has_nothing) {
  for (run_file& run : runs_) {
    add_cell(run, cell, about(1000));
    add_cell(run, "set/redis/wire/sync", about(1000));
  }
  for (row& each : runs_[0].rows)
    if (each.name == cell) each.error_message = "gone";
  EXPECT_THAT(to_table(compared(), false), HasSubstr("get/redis/wire/sync       -  1,000"));
}

TEST_F(two_runs, are_each_compared_within_itself_by_a_part) {
  for (std::size_t i = 0; i < 2; ++i) {
    add_cell(runs_[i], "get/redis/wire/sync", about(1000));
    // The other run's drivers are told apart only because each is compared with the same run's.
    add_cell(runs_[i], "get/redis/hiredis/sync", about(i == 0 ? 900 : 1100));
  }
  const auto by_driver = by_part(runs_, {"before", "after"}, "driver", "redis/wire");
  const comparison all = compare(by_driver, {.metrics = {find_metric("ops")}, .apart = false});
  EXPECT_THAT(all.files, ElementsAre("before", "after"));
  EXPECT_THAT(all.labels, ElementsAre("redis/hiredis", "redis/wire"));
  EXPECT_THAT(all.remarks, Not(Contains(HasSubstr("recorded apart"))));
  const metric_comparison& ops = all.metrics.at(0);
  EXPECT_EQ(ops.family, 2U) << "the family is the metric's, over all files";
  ASSERT_THAT(ops.cells, SizeIs(2));
  for (const std::size_t i : {0U, 1U}) {
    const change found = *ops.cells[i].sides.at(1).against_first;
    EXPECT_EQ(ops.cells[i].file, i == 0 ? "before" : "after");
    EXPECT_EQ(found.said, i == 0 ? outcome::higher : outcome::lower);
    EXPECT_NEAR(found.adjusted_p, 2 * found.p, 1e-12);
  }
  EXPECT_THAT(to_table(all, false), AllOf(HasSubstr("p corrected for 2 comparisons in 2 files"),
                                          HasSubstr("before  get/*/sync"), HasSubstr("after   get/*/sync")));
  EXPECT_THAT(to_markdown(all), HasSubstr("| after | get/\\*/sync |"));
  EXPECT_THAT(to_csv(all), HasSubstr("\nops,after,get/*/sync,redis/wire,"));
  EXPECT_THAT(to_json(all), HasSubstr("\"file\": \"after\""));
}

TEST_F(two_runs, are_divided_by_what_their_machines_do_anyway) {
  // The other machine is half as fast, in everything.
  for (const auto& [name, rate] : {std::pair{cell + "/transport:tcp", 1000.0},
                                   std::pair{std::string("get/echo/socket/sync/transport:tcp"), 4000.0}}) {
    add_cell(runs_[0], name, about(rate));
    add_cell(runs_[1], name, about(rate / 2));
  }
  const change as_it_is = first_change();
  EXPECT_NEAR(as_it_is.ratio, 0.5, 1e-9);
  const comparison all = compared({.metrics = {find_metric("ops")}, .normalise = true});
  const compared_cell& divided = all.metrics.at(0).cells.at(1);
  EXPECT_EQ(divided.reference, "get/echo/socket/sync/transport:tcp");
  EXPECT_NEAR(*divided.sides.at(0).normalised, 0.25, 1e-9);
  EXPECT_NEAR(*divided.sides.at(1).value, 500, 1);
  EXPECT_NEAR(divided.sides.at(1).against_first->ratio, 1, 1e-9);
  EXPECT_EQ(divided.sides.at(1).against_first->said, outcome::same);
  const compared_side& echo = all.metrics.at(0).cells.at(0).sides.at(1);
  EXPECT_FALSE(echo.against_first) << "what others are divided by tells of machines only";
  EXPECT_EQ(echo.note, "not normalised: no reference");
  EXPECT_EQ(all.metrics.at(0).family, 1U);
}

TEST_F(two_runs, are_printed_in_every_format) {
  add_cell(runs_[0], cell, about(1000));
  add_cell(runs_[1], cell, about(900));
  const comparison all = compared();
  EXPECT_THAT(to_table(all, false), HasSubstr("get/redis/wire/sync   1,000    900  0.900x"));
  EXPECT_THAT(to_table(all, false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(to_table(all, true), HasSubstr("\x1b[31m"));
  EXPECT_THAT(to_markdown(all), HasSubstr("| get/redis/wire/sync | 1,000 | 900 | 0.900x |"));
  EXPECT_THAT(to_csv(all), AllOf(HasSubstr("\nops,,get/redis/wire/sync,after,"), HasSubstr(",ratio,0.8999")));
  for (std::size_t i = 0; i < 10; ++i) {
    runs_[0].rows[i].counters["allocs_per_op"] = 0;
    runs_[1].rows[i].counters["allocs_per_op"] = 2;
  }
  EXPECT_THAT(to_csv(compared({.metrics = {find_metric("allocs")}})), HasSubstr(",difference,2,"));
  runs_[0].rows[0].name = runs_[1].rows[0].name = "a\x1b[2Jb";
  EXPECT_THAT(to_table(compared(), false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(to_json(all), HasSubstr("\"says\": \"slower\""));
}

}  // namespace
}  // namespace dbdyno::results
