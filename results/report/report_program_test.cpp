// dbdyno-report as its users see it: exit codes, messages and the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "results/command_output.hpp"
#include "results/example_run.hpp"
#include "results/run_file_writer.hpp"
#include "results/temporary_directory.hpp"

using namespace dbdyno::results;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class dbdyno_report_test : public testing::Test {
 protected:
  dbdyno_report_test() { save(path("run.json"), example_run()); }

  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }

  command_output run(const std::string& arguments) const {
    return run_command("cd '" + directory_.path().string() + "' && '" DBDYNO_REPORT_PATH "' " + arguments);
  }

  std::string text_of(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }

 private:
  temporary_directory directory_;
};

TEST_F(dbdyno_report_test, WritesThePageAndSaysWhere) {
  const auto result = run("run.json -o report.html");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_EQ(result.text, "report.html\n");
  EXPECT_THAT(text_of("report.html"), AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("<h1>run</h1>")));
}

TEST_F(dbdyno_report_test, TakesSeveralFilesAndATitle) {
  EXPECT_EQ(run("run.json run.json --out report.html --title 'A & B'").code, 0);
  EXPECT_THAT(text_of("report.html"), AllOf(HasSubstr("<h1>A &amp; B</h1>"), HasSubstr("run (2)")));
}

TEST_F(dbdyno_report_test, WritesTheSamePageAgain) {
  EXPECT_EQ(run("run.json -o a.html").code + run("run.json -o b.html").code, 0);
  EXPECT_EQ(text_of("a.html"), text_of("b.html"));
}

TEST_F(dbdyno_report_test, TakesAnEmptyFileBesideOthers) {
  save(path("bare.json"), {});
  EXPECT_EQ(run("bare.json run.json -o report.html").code, 0);
}

TEST_F(dbdyno_report_test, DrawsFilesOfOtherProgramsAndSaysWhatWasSetAside) {
  const std::string foreign = DBDYNO_IMPORT_EXAMPLES "/google-benchmark-1.5.json";
  const auto result = run("'" + foreign + "' run.json -o report.html");
  EXPECT_EQ(result.code, 0) << result.text;
  const std::string remark = "2 figures: left out, being NaN or infinite";
  EXPECT_THAT(result.text,
              AllOf(HasSubstr("google-benchmark-1.5.json: " + remark), EndsWith("report.html\n")));
  EXPECT_THAT(text_of("report.html"), AllOf(HasSubstr(remark), HasSubstr("\"BM_copy/64\""),
                                            HasSubstr("\"format\":\"google-benchmark\"")));
}

TEST_F(dbdyno_report_test, EndsWith2ForWhatTheUserGotWrong) {
  save(path("bare.json"), {});
  auto damaged = example_run();
  damaged.cells[0].histograms["ok"].count = 1;
  save(path("damaged.json"), damaged);
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "no result file: give"},
           {"''", "no result file: give"},
           {"-o x.html", "no result file: give"},
           {"run.json", "no place to write to: give -o report.html"},
           {"run.json -o run.json", "-o: 'run.json' is one of the result files"},
           {"run.json -o ./run.json", "-o: './run.json' is one of the result files"},
           {"none.json -o x.html", "none.json: No such file"},
           {"bare.json -o x.html", "bare.json: no repetition in it"},
           {"damaged.json -o x.html", "damaged.json: get/redis/wire"},
           {"run.json -o none/x.html", "none/x.html"},
           {"run.json --fliter x -o x.html", "unknown flag --fliter; --help"},
           {"run.json --title= -o x.html", "--title needs a value"},
           {"run.json -o", "-o"}}) {
    const auto result = run(arguments);
    EXPECT_EQ(result.code, 2) << arguments << "\n" << result.text;
    EXPECT_THAT(result.text, AllOf(StartsWith("dbdyno-report: "), HasSubstr(message)));
    EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'), 1) << result.text;
  }
  EXPECT_FALSE(std::filesystem::exists(path("x.html")));
}

TEST_F(dbdyno_report_test, EndsWith0AfterHelpAndVersion) {
  EXPECT_THAT(run("--help").text, HasSubstr("Exit codes: 0 written"));
  EXPECT_EQ(run("--help").code, 0);
  EXPECT_THAT(run("--version").text, StartsWith("dbdyno-report "));
}

}  // namespace
