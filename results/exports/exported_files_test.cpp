#include "results/exports/exported_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "results/example_run.hpp"
#include "results/exports/percentile_table.hpp"
#include "results/run_file_reader.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

cell cell_with(const std::string& name, unsigned repetition, const std::string& kind,
               std::uint64_t duration) {
  histogram durations;
  durations.record(duration, 5);
  return {.name = name,
          .repetition = repetition,
          .judged = {},
          .errors = {},
          .start_s = repetition,
          .window_s = 0.5,
          .histograms = {{kind, to_record(durations)}}};
}

run_file run_with(std::vector<cell> cells) {
  auto run = example_run();
  run.cells = std::move(cells);
  return run;
}

export_options options_for(const std::string& file) {
  export_options options;
  options.file = file;
  return options;
}

std::vector<std::string> names(const std::vector<exported_file>& files) {
  std::vector<std::string> out;
  out.reserve(files.size());
  for (const auto& file : files) out.push_back(file.name);
  return out;
}

TEST(ExportedFiles, OneLogAndATableForEachBenchmarkAndKind) {
  const auto files = exported_files(
      run_with({cell_with("get/a/b/sync/transport:tcp", 0, "ok", 1000), cell_with("set/a/b/sync", 0, "ok", 1),
                cell_with("get/a/b/sync/transport:tcp", 1, "failed", 1000)}),
      options_for("dir/run.json"));
  EXPECT_THAT(names(files), ElementsAre("run.hlog", "get_a_b_sync_transport-tcp_ok.hgrm",
                                        "set_a_b_sync_ok.hgrm", "get_a_b_sync_transport-tcp_failed.hgrm"));
  EXPECT_THAT(files[0].text, HasSubstr("\nTag=get/a/b/sync/transport:tcp/ok,0.000,0.500,0.001,"));
  EXPECT_THAT(files[0].text, HasSubstr("\nTag=get/a/b/sync/transport:tcp/failed,1.000,0.500,0.001,"));
}

TEST(ExportedFiles, TablesAreMergedOverTheRepetitions) {
  auto options = options_for("run.json");
  options.hlog = false;
  const auto files = exported_files(
      run_with({cell_with("a", 0, "ok", 1'000'000), cell_with("a", 1, "ok", 9'000'000)}), options);
  histogram both;
  both.record(1'000'000, 5);
  both.record(9'000'000, 5);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].text, percentile_table(both));
}

TEST(ExportedFiles, FilterAndFormatSelect) {
  const auto run = run_with({cell_with("get/a", 0, "ok", 1), cell_with("set/a", 0, "ok", 1)});
  auto options = options_for("run.json");
  options.filter.emplace("^get/");
  EXPECT_THAT(names(exported_files(run, options)), ElementsAre("run.hlog", "get_a_ok.hgrm"));
  options.filter.emplace("-^get/");
  EXPECT_THAT(names(exported_files(run, options)), ElementsAre("run.hlog", "set_a_ok.hgrm"));
  options.hgrm = false;
  EXPECT_THAT(names(exported_files(run, options)), ElementsAre("run.hlog"));
  EXPECT_THAT(exported_files(run_with({}), options), IsEmpty());
}

TEST(ExportedFiles, NamesAreSafeAndDifferWhateverTheBenchmarksAreCalled) {
  const auto files = exported_files(
      run_with({cell_with("../../etc/x", 0, "ok", 1), cell_with("a/b", 0, "ok", 1),
                cell_with("a_b", 0, "ok", 1), cell_with(std::string(400, 'x') + "1", 0, "ok", 1),
                cell_with(std::string(400, 'x') + "2", 0, "ok", 1), cell_with("a, b\nc", 0, "ok", 1)}),
      options_for("run.json"));
  EXPECT_THAT(names(files), ElementsAre("run.hlog", "_._.._etc_x_ok.hgrm", "a_b_ok.hgrm", "a_b_ok_2.hgrm",
                                        std::string(200, 'x') + "_ok.hgrm",
                                        std::string(200, 'x') + "_ok_2.hgrm", "a__b_c_ok.hgrm"));
  EXPECT_THAT(files[0].text, HasSubstr("\nTag=a__b_c/ok,0.000,"));
}

TEST(ExportedFiles, NameTheHistogramThatCannotBeRead) {
  auto damaged = cell_with("get/a", 3, "ok", 1);
  damaged.histograms["ok"].data = "QQ==";
  try {
    exported_files(run_with({damaged}), options_for("run.json"));
    FAIL() << "no error";
  } catch (const result_file_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("run.json: get/a, repetition 3, histogram \"ok\": "));
  }
}

}  // namespace
