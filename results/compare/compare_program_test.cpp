#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "results/command_output.hpp"
#include "results/compare/synthetic_run.hpp"
#include "results/run_file_writer.hpp"
#include "results/temporary_directory.hpp"

namespace dbdyno::results {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class compare_program : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::string write(const std::string& name, double rate, const run_file& from = empty_run()) const {
    run_file run = from;
    std::vector<double> rates;
    for (int i = 0; i < 10; ++i) rates.push_back(rate * (1 + 0.001 * i));
    add_cell(run, "get/redis/wire/sync", rates);
    save(path(name), run);
    return path(name);
  }
  static command_output compare(const std::string& arguments) {
    return run_command("'" DBDYNO_COMPARE_PATH "' " + arguments);
  }

  temporary_directory directory_;
};

TEST_F(compare_program, sets_two_files_side_by_side) {
  const command_output done = compare(write("a.json", 1000) + " " + write("b.json", 800));
  EXPECT_EQ(done.code, 0) << done.text;
  EXPECT_THAT(
      done.text,
      AllOf(HasSubstr("ops/s, geometric mean of the repetitions, or plain where one is 0, higher is better"),
            HasSubstr("0.800x"), HasSubstr("slower")));
}

TEST_F(compare_program, fails_for_what_got_worse_beyond_limit_and_noise) {
  const std::string a = write("a.json", 1000);
  const std::string b = write("b.json", 800);
  const command_output failed = compare(a + " " + b + " --fail-above 5% --metric ops");
  EXPECT_EQ(failed.code, 3);
  EXPECT_THAT(failed.text, HasSubstr("dbdyno-compare: --fail-above 5%: "));
  EXPECT_THAT(failed.text, HasSubstr(": ops slower in b than in a, 0.8 times\n"));
  EXPECT_EQ(compare(b + " " + a + " --fail-above 5% --metric ops").code, 0) << "it got better";
  EXPECT_EQ(compare(a + " " + b + " --fail-above 30%").code, 0);
}

TEST_F(compare_program, refuses_what_would_mislead_until_forced) {
  run_file other = empty_run();
  other.context.dbdyno_build_type = "Debug";
  const std::string files = write("a.json", 1000) + " " + write("b.json", 800, other);
  const command_output refused = compare(files);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.text, AllOf(HasSubstr("build type: Release / Debug"), HasSubstr("--force")));
  const command_output forced = compare(files + " --force");
  EXPECT_EQ(forced.code, 0);
  EXPECT_THAT(forced.text, HasSubstr("differs, and misleads: build type"));
}

TEST_F(compare_program, reads_anybodys_google_benchmark_json) {
  const std::string text = R"({"context": {"library_build_type": "release"}, "benchmarks": [
    {"name": "BM_Sort/8", "run_name": "BM_Sort/8", "run_type": "iteration", "iterations": 10, "real_time": 2.5,
     "cpu_time": 2, "time_unit": "us", "rate": NaN}]})";
  const command_output done = compare(write("a.json", text) + " " + write("b.json", text));
  EXPECT_EQ(done.code, 0) << done.text;
  EXPECT_THAT(done.text, AllOf(HasSubstr("BM_Sort/8"), HasSubstr("2.5 us"), HasSubstr("cannot tell")));
}

TEST_F(compare_program, says_when_there_is_nothing_in_common) {
  run_file other = empty_run();
  add_cell(other, "set/redis/wire/sync", {1, 2, 3});
  save(path("b.json"), other);
  const command_output done = compare(write("a.json", 1000) + " " + path("b.json"));
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.text, HasSubstr("nothing in common"));
}

TEST_F(compare_program, tells_beside_csv_what_that_has_no_place_for) {
  run_file other = empty_run();
  other.machine.kernel = "6.1";
  run_file first = empty_run();
  first.machine.kernel = "5.10";
  add_cell(first, "set/redis/wire/sync", {1});
  const std::string files = write("a.json", 1000, first) + " " + write("b.json", 1000, other);
  const command_output all = compare(files + " --format csv");
  EXPECT_THAT(all.text,
              AllOf(HasSubstr("differs: kernel: 5.10 / 6.1"), HasSubstr("only one side has set/redis")));
  EXPECT_THAT(run_command("('" DBDYNO_COMPARE_PATH "' " + files + " --format csv 2>/dev/null)").text,
              StartsWith("metric,file,benchmark,side,"));
}

TEST_F(compare_program, compares_parts_of_several_files_within_each) {
  run_file one = empty_run();
  add_cell(one, "get/redis/hiredis/sync", {1300, 1301, 1302, 1303, 1304, 1305});
  run_file other = one;
  other.context.dbdyno_build_type = "Debug";
  const std::string files = write("a.json", 1000, one) + " " + write("b.json", 1000, other);
  const command_output done = compare(files + " --by driver --metric ops");
  EXPECT_EQ(done.code, 0) << done.text;
  EXPECT_THAT(done.text,
              AllOf(HasSubstr("differs: build type: Release / Debug"), HasSubstr("\na     get/*/sync"),
                    HasSubstr("\nb     get/*/sync"), HasSubstr("slower")));
  EXPECT_THAT(done.text, Not(HasSubstr("recorded apart")));
  EXPECT_EQ(compare(files + " --by driver --metric ops --fail-above 5%").code, 3);
  EXPECT_EQ(compare(files + " --by driver --baseline redis/wire --metric ops --fail-above 5%").code, 0);
  const command_output none = compare(files + " --by mode");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.text,
              AllOf(HasSubstr("nothing in common"), HasSubstr("b: no benchmark differs in its mode")));
}

TEST_F(compare_program, sets_another_tools_results_beside_ours) {
  run_file theirs = empty_run();
  theirs.imported = import_info{.format = "memtier", .remarks = {}};
  theirs.context = {};
  theirs.machine = {};
  theirs.plan = {};
  add_cell(theirs, "get/redis/memtier_benchmark/sync", {500, 501, 502, 503, 504, 505, 506});
  save(path("theirs.json"), theirs);
  const command_output done =
      compare(write("ours.json", 1000) + " " + path("theirs.json") +
              " --by driver --across --metric ops --baseline redis/memtier_benchmark");
  EXPECT_EQ(done.code, 0) << done.text;
  EXPECT_THAT(done.text,
              AllOf(HasSubstr("redis/memtier_benchmark"), HasSubstr("faster"), HasSubstr("recorded apart")));
  EXPECT_EQ(compare(path("theirs.json") + " --across").code, 2);
}

TEST_F(compare_program, does_not_pass_in_silence_what_no_longer_counts) {
  run_file gone = empty_run();
  add_cell(gone, "set/redis/wire/sync", {1, 2, 3});
  const std::string before = write("a.json", 1000, gone);
  for (row& each : gone.rows) each.error_message = "gone";
  const command_output done = compare(before + " " + write("b.json", 1000, gone) + " --fail-above 5%");
  EXPECT_EQ(done.code, 0) << done.text;
  EXPECT_THAT(done.text, HasSubstr("says nothing of 1 benchmarks of which a side has no figure that counts"));
}

TEST_F(compare_program, looks_at_what_earlier_runs_were_of) {
  run_file debug = empty_run();
  debug.context.dbdyno_build_type = "Debug";
  const command_output done = compare(write("a.json", 1000) + " " + write("b.json", 1000) + " --earlier " +
                                      write("c.json", 1000, debug) + " --earlier " + write("d.json", 1000));
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.text, AllOf(HasSubstr("--earlier"), HasSubstr("c.json: build type: Release / Debug")));
}

TEST_F(compare_program, ends_each_metric_by_what_was_found_in_all) {
  run_file before = empty_run();
  run_file after = empty_run();
  add_cell(before, "get/lmdb/lmdb/sync", {500, 501, 502, 503, 504, 505, 506, 507});
  add_cell(after, "get/lmdb/lmdb/sync", {501, 500, 503, 502, 505, 504, 507, 506});
  const std::string files = write("a.json", 1000, before) + " " + write("b.json", 1300, after);
  const command_output all = compare(files + " --metric ops");
  EXPECT_THAT(all.text, HasSubstr("\n2 comparisons: 1 faster, 0 slower, 1 same within 5 %, 0 cannot tell\n"));
  EXPECT_THAT(compare(files + " --metric ops --format markdown").text,
              HasSubstr("\n\n2 comparisons: 1 faster"));
  // A single line says it itself.
  EXPECT_THAT(compare(files + " --metric ops --filter redis").text, Not(HasSubstr("comparisons: ")));
}

TEST_F(compare_program, says_of_which_side_a_note_is) {
  run_file later = empty_run();
  add_cell(later, "get/lmdb/lmdb/sync", {1, 2, 3, 4, 5, 6});
  run_file earlier = later;
  earlier.rows.back().error_message = "gone";
  const command_output done = compare(write("a.json", 1000, earlier) + " " + write("b.json", 1000, later));
  EXPECT_THAT(done.text, HasSubstr("a: 1 errored: gone"));
  EXPECT_THAT(done.text, Not(HasSubstr("b: 1 errored")));
}

TEST_F(compare_program, knows_metrics_by_their_headings_and_flags_by_what_was_meant) {
  const std::string files = write("a.json", 1000) + " " + write("b.json", 1000);
  EXPECT_EQ(compare(files + " --metric ops/s").text, compare(files + " --metric ops").text);
  const command_output typo = compare(files + " --baselin a");
  EXPECT_EQ(typo.code, 2);
  EXPECT_THAT(typo.text, HasSubstr("unknown flag --baselin; did you mean --baseline?"));
}

TEST_F(compare_program, compares_the_drivers_of_the_reference_run) {
  const command_output done = compare(DBDYNO_REFERENCE "/quick.json --by driver");
  EXPECT_EQ(done.code, 0) << done.text;
  EXPECT_THAT(done.text,
              AllOf(HasSubstr("get/*/sync/transport:tcp"), HasSubstr("redis/wire"), HasSubstr("mysql/text")));
}

}  // namespace
}  // namespace dbdyno::results
