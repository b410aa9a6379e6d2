// dbdyno-export as its users see it: exit codes, messages and files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "results/command_output.hpp"
#include "results/example_run.hpp"
#include "results/run_file_reader.hpp"
#include "results/run_file_writer.hpp"
#include "results/temporary_directory.hpp"

using namespace dbdyno::results;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;

namespace {

class dbdyno_export_test : public testing::Test {
 protected:
  dbdyno_export_test() { save(file(), example_run()); }

  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }
  std::string file() const { return path("run.json"); }
  std::string run_name() const { return "get_redis_wire_async_transport-tcp_conns-50_depth-16_ok.hgrm"; }

  command_output run(const std::string& arguments) const {
    return run_command("cd '" + directory_.path().string() + "' && '" DBDYNO_EXPORT_PATH "' " + arguments);
  }

  std::vector<std::string> files_in(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path(name))) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

 private:
  temporary_directory directory_;
};

TEST_F(dbdyno_export_test, WritesBothFormatsAndSaysWhere) {
  const auto result = run("run.json --out some/where");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_EQ(result.text, "some/where/run.hlog\nsome/where/" + run_name() + "\n");
  EXPECT_THAT(files_in("some/where"), UnorderedElementsAre("run.hlog", run_name()));
}

TEST_F(dbdyno_export_test, WritesHereByDefaultAndReplacesWhatIsThere) {
  std::ofstream(path("run.hlog")) << "old";
  const auto result = run("--format hlog run.json");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.text, "run.hlog\n");
  EXPECT_THAT(files_in("."), UnorderedElementsAre("run.json", "run.hlog"));
  EXPECT_GT(std::filesystem::file_size(path("run.hlog")), 300U);
}

TEST_F(dbdyno_export_test, EndsWith5WhenTheFilterMatchedNothing) {
  const auto result = run("run.json --filter '^set/'");
  EXPECT_EQ(result.code, 5);
  EXPECT_EQ(result.text, "dbdyno-export: run.json: --filter matches none of its benchmarks\n");
  EXPECT_EQ(run("run.json --filter '-^set/'").code, 0);
}

TEST_F(dbdyno_export_test, EndsWith2ForWhatTheUserGotWrong) {
  save(path("bare.json"), {});
  std::ofstream(path("broken.json")) << "{";
  auto damaged = example_run();
  damaged.cells[0].histograms["ok"].count = 1;
  save(path("damaged.json"), damaged);
  save(path("table.csv"), example_run());
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "no result file"},
           {"''", "no result file: give its name"},
           {"none.json", "none.json: No such file"},
           {"bare.json", "bare.json: it has no histograms; measure again"},
           {"damaged.json",
            "damaged.json: get/redis/wire/async/transport:tcp/conns:50/depth:16, repetition 0"},
           {"run.json run.json", "one result file at a time"},
           {"run.json --fliter x", "unknown flag --fliter; did you mean --filter?"},
           {"run.json --filter '('", "--filter: '(' is not a regular expression"},
           {"run.json --filter=", "--filter needs a value"},
           {"run.json --format csv,xml", "--format: 'xml' is none of hlog, hgrm, gbench, "},
           {"run.json --out -", "--out: standard output takes one format, and not hgrm"},
           {"run.json --format hgrm --out -", "--out: standard output takes one format, and not hgrm"},
           {"bare.json --format csv --out -",
            "bare.json: there is nothing to write as csv: it has no repetition"},
           {"table.csv --format csv", "table.csv: would be replaced; name another directory with --out"},
           {"run.json --from wrk", "--from goes with --import only"},
           {"--import", "--import: no file"},
           {"--import run.json", "run.json: a result file of dbdyno already"},
           {"--import broken.json", "broken.json: parse error at line 1, column 2"},
           {"--import none.txt", "none.txt: No such file"},
           {"--import run.json --from fio", "--from: 'fio' is none of google-benchmark, memtier_benchmark"},
           {"--import run.json --filter x", "--filter goes without --import, or with --as"},
           {"--import run.json --as '/x y'", "--as: '/x y' is no benchmark's name, such as get/redis/"},
           {"run.json --as x", "--as goes with --import only"},
           {"--import run.json --format hlog", "--format goes without --import"},
           {"--import run.json --from=", "--from needs a value"},
           {"run.json --out run.json", "--out: cannot make the directory 'run.json'"},
           {"run.json --out", "--out"}}) {
    const auto result = run(arguments);
    EXPECT_EQ(result.code, 2) << result.text;
    EXPECT_THAT(result.text, AllOf(StartsWith("dbdyno-export: "), HasSubstr(message)));
    EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'), 1) << result.text;
  }
  EXPECT_THAT(files_in("."),
              UnorderedElementsAre("run.json", "bare.json", "broken.json", "damaged.json", "table.csv"));
}

TEST_F(dbdyno_export_test, WritesTheFormatsItIsAskedForAndSaysWhatIsLeftOut) {
  const auto result = run("run.json --format bmf,prometheus --out x");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(
      result.text,
      AllOf(HasSubstr("dbdyno-export: run.json: get/redis/wire/async/transport:tcp/conns:50/depth:16: "
                      "1 of 2 repetitions left out: the server said \"no\"\n"),
            HasSubstr("x/run.bmf.json\nx/run.prom\n")));
  EXPECT_THAT(files_in("x"), UnorderedElementsAre("run.bmf.json", "run.prom"));
}

TEST_F(dbdyno_export_test, WritesOneFormatToStandardOutputAndNothingElse) {
  EXPECT_EQ(run("run.json --format csv --out x").code, 0);
  EXPECT_EQ(run("run.json --format csv --out - 2>/dev/null >piped").code, 0);
  EXPECT_EQ(run("run.json --format bmf --out - 2>/dev/null >piped.json").code, 0);
  EXPECT_EQ(run_command("cmp '" + path("piped") + "' '" + path("x/run.csv") + "'").code, 0);
  EXPECT_GT(std::filesystem::file_size(path("piped.json")), 100U);
  EXPECT_THAT(files_in("."), UnorderedElementsAre("run.json", "x", "piped", "piped.json"));
  EXPECT_EQ(run("run.json --format csv --out - >/dev/full").code, 2);
}

TEST_F(dbdyno_export_test, ExportsWhatWasImported) {
  EXPECT_EQ(run("--import " DBDYNO_IMPORT_EXAMPLES "/redis-benchmark-7.0.csv --out r.json").code, 0);
  for (const char* format : {"gbench", "gbench-median", "bmf", "github-action-smaller",
                             "github-action-bigger", "csv", "prometheus"}) {
    const auto result = run(std::string("r.json --filter '^get/' --format ") + format + " --out -");
    EXPECT_EQ(result.code, 0) << result.text;
    EXPECT_THAT(result.text, HasSubstr("get/redis/redis-benchmark")) << format;
  }
  EXPECT_EQ(run("r.json --filter nothing --format csv").code, 5);
}

TEST_F(dbdyno_export_test, ImportsWhatOtherProgramsMeasured) {
  const std::string examples = DBDYNO_IMPORT_EXAMPLES "/";
  const auto result =
      run("--import " + examples + "wrk-failed.txt " + examples + "redis-benchmark-7.0.csv --out new/place");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'), 3) << result.text;
  EXPECT_THAT(result.text,
              AllOf(HasSubstr("wrk-failed.txt: wrk/some/conns:4/threads:1: 2608 of 26074 requests failed"),
                    HasSubstr("new/place/wrk-failed.dbdyno.json\n"),
                    HasSubstr("new/place/redis-benchmark-7.0.dbdyno.json\n")));
  const auto written = load(path("new/place/redis-benchmark-7.0.dbdyno.json"));
  EXPECT_EQ(written.rows.size(), 7U);
  EXPECT_EQ(written.imported->format, "redis-benchmark");
  EXPECT_EQ(written.rows[3].counters.at("items_per_second"), 57471.27);
}

TEST_F(dbdyno_export_test, ImportsOneFileToThePathItIsGiven) {
  const std::string text = "\"GET\",\"10.0\"\n\"GET\",\"30.0\"\n";
  std::ofstream(path("r.csv")) << text;
  EXPECT_EQ(run("--import r.csv").text, "r.dbdyno.json\n");
  EXPECT_EQ(run("--import r.csv --from redis-benchmark --out other.json").text, "other.json\n");
  EXPECT_EQ(run("--import r.csv --out .").text, "r.dbdyno.json\n");
  const auto written = load(path("other.json"));
  ASSERT_EQ(written.rows.size(), 6U) << "two repetitions and their statistics";
  EXPECT_EQ(written.rows[1].repetition, 1U);
  EXPECT_EQ(written.rows[2].kind, statistic::mean);
  EXPECT_EQ(written.rows[2].counters.at("items_per_second"), 20);
}

TEST_F(dbdyno_export_test, ImportsFilesOfOneBenchmarkAsItsRepetitions) {
  std::ofstream(path("1.csv")) << "\"SET\",\"5.0\"\n\"GET\",\"10.0\"\n";
  std::ofstream(path("2.csv")) << "\"GET\",\"30.0\"\n";
  const std::string name = "get/redis/redis-benchmark/async/conns:50/depth:16";
  const auto result = run("--import 1.csv 2.csv --filter '^get' --as " + name + " --out all.json");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text,
              AllOf(HasSubstr("1.csv: named by hand; it was get/redis/redis-benchmark of 1.csv, 2.csv\n"),
                    HasSubstr("\nall.json\n")));
  const auto written = load(path("all.json"));
  ASSERT_EQ(written.rows.size(), 6U) << "two repetitions and their statistics";
  for (const row& each : written.rows) EXPECT_EQ(each.name, name);
  EXPECT_EQ(written.rows[2].counters.at("items_per_second"), 20);
  EXPECT_THAT(run("--import 1.csv 2.csv --filter '^get' --as " + name).text, HasSubstr("\n1.dbdyno.json\n"));

  const auto several = run("--import 1.csv --as " + name);
  EXPECT_EQ(several.code, 2);
  EXPECT_THAT(several.text, HasSubstr("1.csv: it has several benchmarks"));
  EXPECT_THAT(run("--import 2.csv ./2.csv --as " + name).text, HasSubstr("./2.csv: it is given twice"));
  EXPECT_THAT(run("--import 1.csv 2.csv --filter '^get' --as " + name + " --out 2.csv").text,
              HasSubstr("2.csv: would be replaced"));
}

TEST_F(dbdyno_export_test, ImportsAllFilesOrNone) {
  std::ofstream(path("r.csv")) << "\"GET\",\"10.0\"\n";
  std::ofstream(path("notes.txt")) << "Dear diary,\n";
  std::filesystem::create_directory(path("there"));
  std::ofstream(path("there/r.csv")) << "\"GET\",\"10.0\"\n";
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"r.csv notes.txt", "notes.txt: no results in a format that is known: google-benchmark"},
           {"r.csv there/r.csv", "r.dbdyno.json: two files would be written there"},
           {"r.csv --out r.csv", "r.csv: would be replaced"},
           {"r.csv --from wrk", "r.csv: no line \"Running ... test @ URL\""}}) {
    const auto result = run("--import " + arguments);
    EXPECT_EQ(result.code, 2) << result.text;
    EXPECT_THAT(result.text, AllOf(StartsWith("dbdyno-export: "), HasSubstr(message)));
    EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'), 1) << result.text;
  }
  EXPECT_THAT(files_in("."), UnorderedElementsAre("run.json", "r.csv", "notes.txt", "there"));
}

TEST_F(dbdyno_export_test, EndsWith0AfterHelpAndVersion) {
  EXPECT_THAT(run("--help").text, HasSubstr("Exit codes: 0 written"));
  EXPECT_EQ(run("--help").code, 0);
  const auto version = run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.text, StartsWith("dbdyno-export "));
}

}  // namespace
