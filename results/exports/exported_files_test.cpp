#include "results/exports/exported_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "results/example_run.hpp"
#include "results/exports/percentile_table.hpp"
#include "results/exports/scripted_results.hpp"
#include "results/run_file_reader.hpp"

using namespace dbdyno::results;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

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

std::vector<std::string> names(const exported& all) {
  std::vector<std::string> out;
  out.reserve(all.files.size());
  for (const auto& file : all.files) out.push_back(file.name);
  return out;
}

TEST(ExportedFiles, OneLogAndATableForEachBenchmarkAndKind) {
  const auto all = exported_files(
      run_with({cell_with("get/a/b/sync/transport:tcp", 0, "ok", 1000), cell_with("set/a/b/sync", 0, "ok", 1),
                cell_with("get/a/b/sync/transport:tcp", 1, "failed", 1000)}),
      options_for("dir/run.json"));
  const auto& files = all.files;
  EXPECT_THAT(names(all), ElementsAre("run.hlog", "get_a_b_sync_transport-tcp_ok.hgrm",
                                      "set_a_b_sync_ok.hgrm", "get_a_b_sync_transport-tcp_failed.hgrm"));
  EXPECT_THAT(files[0].text, HasSubstr("\nTag=get/a/b/sync/transport:tcp/ok,0.000,0.500,0.001,"));
  EXPECT_THAT(files[0].text, HasSubstr("\nTag=get/a/b/sync/transport:tcp/failed,1.000,0.500,0.001,"));
}

TEST(ExportedFiles, TablesAreMergedOverTheRepetitions) {
  auto options = options_for("run.json");
  options.formats = {export_format::hgrm};
  const auto files =
      exported_files(run_with({cell_with("a", 0, "ok", 1'000'000), cell_with("a", 1, "ok", 9'000'000)}),
                     options)
          .files;
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
  options.formats = {export_format::hlog};
  EXPECT_THAT(names(exported_files(run, options)), ElementsAre("run.hlog"));
}

TEST(ExportedFiles, NamesAreSafeAndDifferWhateverTheBenchmarksAreCalled) {
  const auto all = exported_files(
      run_with({cell_with("../../etc/x", 0, "ok", 1), cell_with("a/b", 0, "ok", 1),
                cell_with("a_b", 0, "ok", 1), cell_with(std::string(400, 'x') + "1", 0, "ok", 1),
                cell_with(std::string(400, 'x') + "2", 0, "ok", 1), cell_with("a, b\nc", 0, "ok", 1)}),
      options_for("run.json"));
  EXPECT_THAT(names(all), ElementsAre("run.hlog", "_._.._etc_x_ok.hgrm", "a_b_ok.hgrm", "a_b_ok_2.hgrm",
                                      std::string(200, 'x') + "_ok.hgrm",
                                      std::string(200, 'x') + "_ok_2.hgrm", "a__b_c_ok.hgrm"));
  EXPECT_THAT(all.files[0].text, HasSubstr("\nTag=a__b_c/ok,0.000,"));
}

TEST(ExportedFiles, NameTheHistogramThatCannotBeRead) {
  auto damaged = scripted_results();
  damaged.cells[1].histograms["ok"].data = "QQ==";
  for (const auto format : {export_format::hlog, export_format::hgrm, export_format::bmf}) {
    auto options = options_for("run.json");
    options.formats = {format};
    EXPECT_THAT(
        [&] { exported_files(damaged, options); },
        ThrowsMessage<result_file_error>(HasSubstr(
            "run.json: get/redis/wire/sync/transport:tcp/manual_time, repetition 1, histogram \"ok\": ")));
  }
}

TEST(ExportedFiles, OfEachFormatAreNamedAlikeAndTellWhatTheyLeaveOut) {
  auto options = options_for("dir/run.json");
  options.formats =
      parse_export_formats("gbench,gbench-median,bmf,github-action-smaller,github-action-bigger");
  auto all = exported_files(scripted_results(), options);
  EXPECT_THAT(names(all), ElementsAre("run.gbench.json", "run.gbench-median.json", "run.bmf.json",
                                      "run.github-action-smaller.json", "run.github-action-bigger.json"));
  EXPECT_THAT(all.remarks,
              ElementsAre(HasSubstr("2 of 4 repetitions left out: invalid: target rate missed")));
  options.formats = parse_export_formats("hlog,csv,prometheus");
  all = exported_files(scripted_results(), options);
  EXPECT_THAT(names(all), ElementsAre("run.hlog", "run.csv", "run.prom"));
  EXPECT_THAT(all.remarks, IsEmpty()) << "it is in the files";
}

TEST(ExportedFiles, TellThatARunIsPartial) {
  auto run = scripted_results();
  run.partial = true;
  auto options = options_for("run.json");
  options.formats = {export_format::gbench};
  EXPECT_THAT(exported_files(run, options).remarks,
              ElementsAre(HasSubstr("the run ended before its plan did"), HasSubstr("left out")));
}

TEST(ExportedFiles, TellOfLatenciesThatCannotBeMerged) {
  auto run = scripted_results();
  run.cells.clear();
  auto options = options_for("run.json");
  options.formats = {export_format::prometheus};
  EXPECT_THAT(
      exported_files(run, options).remarks,
      ElementsAre("get/redis/wire/sync/transport:tcp: latencies left out: those of several repetitions "
                  "need histograms"));
}

TEST(ExportedFiles, OfAllFormatsAreFiltered) {
  for (const char* format : {"gbench", "gbench-median", "bmf", "github-action-smaller",
                             "github-action-bigger", "csv", "prometheus"}) {
    auto options = options_for("run.json");
    options.filter.emplace("^set/");
    options.formats = parse_export_formats(format);
    const auto all = exported_files(scripted_results(), options);
    EXPECT_THAT(all.files.at(0).text, AllOf(HasSubstr("set/redis/redis-benchmark"), Not(HasSubstr("get/"))))
        << format;
    EXPECT_THAT(all.remarks, IsEmpty()) << "what is not asked for is not missed";
  }
}

TEST(ExportedFiles, AreNeverEmpty) {
  const auto reason = [](const run_file& run, const char* format) {
    auto options = options_for("run.json");
    options.formats = parse_export_formats(format);
    try {
      exported_files(run, options);
    } catch (const result_file_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  auto failed = scripted_results();
  failed.rows = {failed.rows[3]};
  for (const char* format :
       {"gbench", "gbench-median", "bmf", "github-action-smaller", "github-action-bigger"}) {
    EXPECT_THAT(reason(failed, format),
                AllOf(HasSubstr(std::string("run.json: there is nothing to write as ") + format + ": "),
                      HasSubstr("1 of 1 repetitions left out: the server said \"no\", twice")));
    EXPECT_THAT(reason({}, format), HasSubstr("it has no repetition"));
  }
  for (const char* format : {"csv", "prometheus"}) {
    EXPECT_EQ(reason(failed, format), "") << "it tells of failures";
    EXPECT_THAT(reason({}, format), HasSubstr("it has no repetition"));
  }
  auto bare = scripted_results();
  bare.rows = {scripted_row(0, 1)};
  bare.rows[0].counters.clear();
  bare.cells.clear();
  EXPECT_THAT(reason(bare, "github-action-bigger"), HasSubstr("its rows do not have these figures"));
  EXPECT_THAT(reason(bare, "hlog"), HasSubstr("it has no histograms; measure again"));
}

}  // namespace
