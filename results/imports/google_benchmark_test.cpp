#include "results/imports/google_benchmark.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/imports/import_examples.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;
using testing::UnorderedElementsAre;

namespace {

imported_run read(const std::string& rows) {
  return read_google_benchmark("{\"context\": {}, \"benchmarks\": [" + rows + "]}", "b.json");
}

std::string error_for(const std::string& text) {
  return error_of([&] { read_google_benchmark(text, "b.json"); });
}

std::string error_for_rows(const std::string& rows) {
  return error_of([&] { read(rows); });
}

std::string repetition(const std::string& name, int index, double time, const std::string& more = "") {
  return fmt::format(R"({{"name": "{0}", "run_name": "{0}", "run_type": "iteration", "repetitions": 3,
    "repetition_index": {1}, "threads": 1, "iterations": 10, "real_time": {2}, "cpu_time": {2},
    "time_unit": "ns"{3}}})",
                     name, index, time, more);
}

std::string statistic_row(const std::string& name, const std::string& kind, double time) {
  return fmt::format(R"({{"name": "{0}_{1}", "run_name": "{0}", "run_type": "aggregate", "repetitions": 3,
    "threads": 1, "aggregate_name": "{1}", "aggregate_unit": "{3}", "iterations": 3, "real_time": {2},
    "cpu_time": {2}, "time_unit": "us"}})",
                     name, kind, time, kind == "cv" ? "percentage" : "time");
}

TEST(google_benchmark, reads_1_5_with_its_bare_nan) {
  const auto imported = read_google_benchmark(example("google-benchmark-1.5.json"), "b.json");
  ASSERT_EQ(imported.run.rows.size(), 3U);
  const auto first = row_of(imported, "BM_copy/64");
  EXPECT_EQ(first.real_time, 2500);
  EXPECT_EQ(first.cpu_time, 2400);
  EXPECT_EQ(first.iterations, 1000U);
  EXPECT_EQ(first.repetitions, 2U);
  EXPECT_THAT(first.counters, ElementsAre(Pair("bytes_per_second", 2.56e7)));
  EXPECT_DOUBLE_EQ(*row_of(imported, "BM_copy/64", 1).real_time, 2700);
  const auto broken = row_of(imported, "BM_broken");
  EXPECT_EQ(broken.error_message, "no server");
  EXPECT_FALSE(broken.real_time);
  EXPECT_EQ(imported.run.context.date, "2020-06-01 10:11:12");
  EXPECT_EQ(imported.run.context.executable, "bench");
  EXPECT_EQ(imported.run.context.library_build_type, "release");
  EXPECT_THAT(imported.run.context.load_avg, ElementsAre(0.5, 0.25, 0.125));
  EXPECT_EQ(imported.run.machine.host_name, "box");
  EXPECT_EQ(imported.run.machine.cpu_count, 4U);
  EXPECT_EQ(imported.run.machine.cpu_mhz, 2100U);
  ASSERT_EQ(imported.run.machine.caches.size(), 1U);
  EXPECT_EQ(imported.run.machine.caches[0].size, 32768U);
  EXPECT_THAT(
      imported.remarks,
      ElementsAre(
          "1 row: ended in an error or without being run, counting for nothing; the first is BM_broken: no "
          "server",
          "1 statistic: set aside, since the repetitions themselves are in the file; the first is "
          "BM_copy/64_mean",
          "2 statistics: set aside, being neither mean, median, stddev nor cv; the first is BM_sort_BigO",
          "2 figures: left out, being NaN or infinite; the first is ratio of BM_copy/64",
          "times are in ns (1 row), us (3 rows); all were converted to ns"));
  expect_round_trip(imported);
}

TEST(google_benchmark, reads_what_1_7_1_writes) {
  const auto imported = read_google_benchmark(example("google-benchmark-1.7.json"), "b.json");
  ASSERT_EQ(imported.run.rows.size(), 7U);
  const auto first = row_of(imported, "BM_sum/8");
  EXPECT_EQ(first.repetitions, 3U);
  EXPECT_GT(first.counters.at("items_per_second"), 0);
  EXPECT_FALSE(row_of(imported, "BM_sum/8", 2).error_message);
  EXPECT_EQ(row_of(imported, "BM_error/repeats:1").error_message, "no server");
  expect_round_trip(imported);
}

TEST(google_benchmark, keeps_a_file_of_statistics_only) {
  const auto imported = read_google_benchmark(example("google-benchmark-1.7-aggregates.json"), "b.json");
  ASSERT_EQ(imported.run.rows.size(), 4U);
  for (const auto& r : imported.run.rows) {
    EXPECT_TRUE(r.kind);
    EXPECT_EQ(r.name, "BM_sum/8");
    EXPECT_EQ(r.iterations, 3U);
  }
  EXPECT_EQ(imported.run.rows[0].kind, statistic::mean);
  EXPECT_EQ(imported.run.rows[3].kind, statistic::cv);
  EXPECT_LT(*imported.run.rows[3].real_time, 1);
  EXPECT_THAT(imported.remarks, testing::Contains(StartsWith("1 name: known only by statistics")));
  expect_round_trip(imported);
}

TEST(google_benchmark, converts_the_times_of_statistics_but_not_a_ratio) {
  const auto imported = read(statistic_row("a", "mean", 2) + "," + statistic_row("a", "cv", 0.25));
  EXPECT_EQ(imported.run.rows[0].real_time, 2000);
  EXPECT_EQ(imported.run.rows[1].real_time, 0.25);
}

TEST(google_benchmark, converts_every_unit_and_says_that_they_are_mixed) {
  std::string rows;
  for (const auto* unit : {"ns", "us", "ms", "s"}) {
    rows += fmt::format(
        R"({}{{"name": "{}", "iterations": 1, "real_time": 1.5, "cpu_time": 1, "time_unit": "{}"}})",
        rows.empty() ? "" : ",", unit, unit);
  }
  const auto imported = read(rows);
  EXPECT_EQ(row_of(imported, "ns").real_time, 1.5);
  EXPECT_EQ(row_of(imported, "us").real_time, 1500);
  EXPECT_EQ(row_of(imported, "ms").real_time, 1.5e6);
  EXPECT_EQ(row_of(imported, "s").real_time, 1.5e9);
  EXPECT_THAT(
      imported.remarks,
      ElementsAre("times are in ns (1 row), us (1 row), ms (1 row), s (1 row); all were converted to ns"));
}

TEST(google_benchmark, makes_further_repetitions_of_rows_that_come_twice) {
  const auto imported =
      read(repetition("a", 0, 1) + "," + repetition("b", 0, 9) + "," + repetition("a", 1, 2) + "," +
           repetition("a", 0, 3) + "," + repetition("a", 1, 4));
  ASSERT_EQ(imported.run.rows.size(), 5U);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(imported.run.rows[i].name, "a");
    EXPECT_EQ(imported.run.rows[i].repetition, i);
    EXPECT_EQ(imported.run.rows[i].real_time, i + 1.0);
    EXPECT_EQ(imported.run.rows[i].repetitions, 4U);
  }
  EXPECT_THAT(imported.remarks, ElementsAre("2 rows: with the name and repetition of another one, so further "
                                            "repetitions of it; the first is a"));
  expect_round_trip(imported);
}

TEST(google_benchmark, puts_repetitions_in_order) {
  const auto imported =
      read(repetition("a", 2, 3) + "," + repetition("a", 0, 1) + "," + repetition("a", 1, 2));
  EXPECT_EQ(imported.run.rows[0].real_time, 1);
  EXPECT_EQ(imported.run.rows[2].real_time, 3);
  EXPECT_THAT(imported.remarks, IsEmpty());
}

TEST(google_benchmark, numbers_repetitions_that_are_announced_but_not_numbered) {
  const std::string one =
      R"({"name": "a", "run_type": "iteration", "repetitions": 2, "iterations": 1, "real_time": 1})";
  EXPECT_THAT(read(one + "," + one).remarks, IsEmpty());
  EXPECT_EQ(read(one + "," + one).run.rows[1].repetition, 1U);
  EXPECT_THAT(read(one + "," + one + "," + one).remarks,
              ElementsAre(StartsWith("1 row: with the name and repetition")));
}

TEST(google_benchmark, takes_one_repetition_for_what_it_is) {
  const auto imported = read(R"({"name": "a", "run_name": "a", "run_type": "iteration", "repetitions": 1,
    "repetition_index": 0, "iterations": 10, "real_time": 1, "cpu_time": 1, "time_unit": "ns"})");
  ASSERT_EQ(imported.run.rows.size(), 1U);
  EXPECT_EQ(imported.run.rows[0].repetitions, 1U);
  EXPECT_THAT(imported.remarks, IsEmpty());
}

TEST(google_benchmark, knows_the_statistics_of_before_rows_said_what_they_are) {
  const std::string end = R"(", "iterations": 1, "real_time": 1, "cpu_time": 1, "time_unit": "ns"})";
  const auto named = [&](const std::string& name) { return R"({"name": ")" + name + end; };
  const auto alone = read(named("a_mean") + "," + named("a_median") + "," + named("a_stddev"));
  ASSERT_EQ(alone.run.rows.size(), 3U);
  EXPECT_EQ(alone.run.rows[1].name, "a");
  EXPECT_EQ(alone.run.rows[1].kind, statistic::median);
  const auto beside = read(named("a") + "," + named("a") + "," + named("a_mean") + "," + named("find_mean"));
  ASSERT_EQ(beside.run.rows.size(), 3U);
  EXPECT_EQ(beside.run.rows[2].name, "find_mean");
  EXPECT_FALSE(beside.run.rows[2].kind);
}

TEST(google_benchmark, keeps_rows_that_failed_or_were_skipped_and_says_so) {
  const auto imported = read(repetition("a", 0, 1) + "," +
                             repetition("a", 1, 0, R"(, "error_occurred": true, "error_message": "x\ny")") +
                             "," + repetition("b", 0, 0, R"(, "skipped": true, "skip_message": "no AVX")"));
  EXPECT_EQ(row_of(imported, "a", 1).error_message, "x y");
  EXPECT_EQ(row_of(imported, "b").error_message, "skipped: no AVX");
  EXPECT_THAT(
      imported.remarks,
      ElementsAre(
          "2 rows: ended in an error or without being run, counting for nothing; the first is a: x y"));
  expect_round_trip(imported);
}

TEST(google_benchmark, leaves_out_what_is_not_finite) {
  const auto imported =
      read(R"({"name": "a", "iterations": 3, "real_time": NaN, "cpu_time": -Infinity, "x": 1, "y": nan,
    "z": -inf}, {"name": "b", "iterations": NaN, "real_time": 1})");
  const auto r = row_of(imported, "a");
  EXPECT_FALSE(r.real_time);
  EXPECT_FALSE(r.cpu_time);
  EXPECT_THAT(r.counters, ElementsAre(Pair("x", 1)));
  EXPECT_EQ(row_of(imported, "b").iterations, 0U);
  EXPECT_THAT(imported.remarks,
              ElementsAre("5 figures: left out, being NaN or infinite; the first is real_time of a"));
  expect_round_trip(imported);
}

TEST(google_benchmark, says_what_of_a_row_is_not_kept) {
  const auto imported =
      read(repetition("a", 0, 1, R"(, "label": "fast", "size": 3, "note": "x", "ok": true, "count": 4)") +
           "," + R"({"name": "listed"})");
  EXPECT_THAT(imported.run.rows[0].counters, ElementsAre(Pair("count", 4)));
  EXPECT_THAT(
      imported.remarks,
      ElementsAre("1 label: not kept; the first is \"fast\" of a",
                  "3 values: not kept, being no number or having the name of a row's own key; the first is "
                  "size of a",
                  "1 row: set aside, being without any figure; the first is listed"));
  expect_round_trip(imported);
}

TEST(google_benchmark, takes_a_context_of_any_version) {
  const auto imported = read_google_benchmark(
      R"({"context": {"date": "d", "executable": "C:\\x\\bench.exe", "num_cpus": 2, "mhz_per_cpu": -1,
          "cpu_scaling_enabled": true, "aslr_enabled": false, "library_version": "v1.9.5",
          "json_schema_version": 1,
          "caches": [], "load_avg": [], "git": "abc"},
          "benchmarks": [{"name": "a", "real_time": 1}]})",
      "b.json");
  EXPECT_EQ(imported.run.context.executable, "bench.exe");
  EXPECT_EQ(imported.run.context.library_version, "v1.9.5");
  EXPECT_FALSE(imported.run.machine.cpu_mhz);
  EXPECT_THAT(imported.remarks, ElementsAre("the machine scaled the frequencies of its CPUs",
                                            "of the context is not kept: git, mhz_per_cpu"));
  expect_round_trip(imported);
  const auto bare = read_google_benchmark(R"({"benchmarks": [{"name": "a", "real_time": 1}]})", "b.json");
  EXPECT_EQ(bare.run.machine, machine_info{});
  expect_round_trip(bare);
}

TEST(google_benchmark, says_where_broken_json_is_broken) {
  EXPECT_EQ(error_for(""), "b.json: the file is empty");
  EXPECT_THAT(error_for("{\n  \"benchmarks\": [x"), StartsWith("b.json: parse error at line 2, column 18: "));
  const auto text = example("google-benchmark-1.5.json");
  EXPECT_THAT(error_for(text.substr(0, text.size() / 2)),
              StartsWith("b.json: parse error at line 50, column 20: "));
}

TEST(google_benchmark, refuses_json_of_another_kind) {
  EXPECT_EQ(error_for("[]"), "b.json: not a result file: expected an object, found array");
  EXPECT_EQ(error_for("{}"), "b.json: not a result file: /benchmarks: missing");
  EXPECT_EQ(error_for(R"({"benchmarks": {}})"),
            "b.json: not a result file: /benchmarks: expected an array, found object");
  EXPECT_EQ(error_for(R"({"benchmarks": []})"), "b.json: not a result file: /benchmarks: it has no rows");
  EXPECT_EQ(error_for_rows("1"),
            "b.json: not a result file: /benchmarks/0: expected an object, found number");
  EXPECT_EQ(error_for_rows(R"({"name": "a", "real_time": 1}, {"real_time": 1})"),
            "b.json: not a result file: /benchmarks/1/name: missing");
  EXPECT_EQ(error_for_rows(R"({"name": ""})"),
            "b.json: not a result file: /benchmarks/0/name: a name is empty");
  EXPECT_EQ(error_for_rows(R"({"name": NaN})"),
            "b.json: not a result file: /benchmarks/0/name: expected a string, found NaN or Infinity");
  EXPECT_EQ(error_for_rows(R"({"name": "a"})"),
            "b.json: not a result file: /benchmarks: no row has a figure");
  EXPECT_EQ(error_for_rows(R"({"name": "a", "real_time": "1"})"),
            "b.json: not a result file: /benchmarks/0/real_time: expected a number, found string");
  EXPECT_EQ(error_for_rows(R"({"name": "a", "real_time": 1, "time_unit": "weeks"})"),
            "b.json: not a result file: /benchmarks/0/time_unit: unknown value \"weeks\"");
  EXPECT_EQ(error_for_rows(R"({"name": "a", "real_time": 1, "iterations": -1})"),
            "b.json: not a result file: /benchmarks/0/iterations: expected a whole number, found -1");
  EXPECT_EQ(error_for_rows(R"({"name": "a", "real_time": 1, "run_type": "other"})"),
            "b.json: not a result file: /benchmarks/0/run_type: unknown value \"other\"");
  EXPECT_EQ(error_for_rows(R"({"name": "a", "real_time": 1, "run_type": "aggregate"})"),
            "b.json: not a result file: /benchmarks/0/aggregate_name: missing");
}

TEST(google_benchmark, reads_a_hundred_thousand_rows) {
  std::string rows;
  for (int i = 0; i < 100'000; ++i) {
    if (i > 0) rows += ',';
    rows += repetition(fmt::format("BM_name/{}", i / 5), i % 5, 1.0 + i,
                       R"(, "items_per_second": 1e6, "z": NaN)");
  }
  const auto imported = read(rows);
  ASSERT_EQ(imported.run.rows.size(), 100'000U);
  EXPECT_EQ(row_of(imported, "BM_name/19999", 4).real_time, 100'000);
  EXPECT_THAT(imported.remarks, ElementsAre(StartsWith("100000 figures: left out")));
}

}  // namespace
