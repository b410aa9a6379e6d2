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
  EXPECT_EQ(result.text, "dbdyno-export: run.json: --filter matches none of its 2 cells\n");
  EXPECT_EQ(run("run.json --filter '-^set/'").code, 0);
}

TEST_F(dbdyno_export_test, EndsWith2ForWhatTheUserGotWrong) {
  save(path("bare.json"), {});
  std::ofstream(path("broken.json")) << "{";
  auto damaged = example_run();
  damaged.cells[0].histograms["ok"].count = 1;
  save(path("damaged.json"), damaged);
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "no result file"},
           {"''", "FILE needs a value"},
           {"none.json", "none.json: No such file"},
           {"broken.json", "broken.json: parse error"},
           {"bare.json", "bare.json: it has no histograms; measure again"},
           {"damaged.json",
            "damaged.json: get/redis/wire/async/transport:tcp/conns:50/depth:16, repetition 0"},
           {"run.json run.json", "one result file at a time"},
           {"run.json --fliter x", "unknown flag --fliter; --help"},
           {"run.json --filter '('", "--filter: '(' is not a regular expression"},
           {"run.json --filter=", "--filter needs a value"},
           {"run.json --format csv", "--format: 'csv' is neither hlog nor hgrm"},
           {"run.json --out run.json", "--out: cannot make the directory 'run.json'"},
           {"run.json --out", "--out"}}) {
    const auto result = run(arguments);
    EXPECT_EQ(result.code, 2) << result.text;
    EXPECT_THAT(result.text, AllOf(StartsWith("dbdyno-export: "), HasSubstr(message)));
    EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'), 1) << result.text;
  }
  EXPECT_THAT(files_in("."), UnorderedElementsAre("run.json", "bare.json", "broken.json", "damaged.json"));
}

TEST_F(dbdyno_export_test, EndsWith0AfterHelpAndVersion) {
  EXPECT_THAT(run("--help").text, HasSubstr("Exit codes: 0 written"));
  EXPECT_EQ(run("--help").code, 0);
  const auto version = run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.text, StartsWith("dbdyno-export "));
}

}  // namespace
