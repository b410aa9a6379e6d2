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
  EXPECT_THAT(done.text,
              AllOf(HasSubstr("ops/s, higher is better"), HasSubstr("0.800x"), HasSubstr("slower")));
}

TEST_F(compare_program, fails_for_what_got_worse_beyond_limit_and_noise) {
  const std::string a = write("a.json", 1000);
  const std::string b = write("b.json", 800);
  EXPECT_EQ(compare(a + " " + b + " --fail-above 5%").code, 3);
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

TEST_F(compare_program, names_unusable_files) {
  const std::string good = write("good.json", 1000);
  for (const auto& [text, said] : {std::pair{"", "empty"}, std::pair{"{\"context\": ", "line 1"},
                                   std::pair{"[]", "bad.json"}, std::pair{"{}", "bad.json"}}) {
    const command_output done = compare(good + " " + write("bad.json", std::string(text)));
    EXPECT_EQ(done.code, 2) << text;
    EXPECT_THAT(done.text, AllOf(HasSubstr("bad.json"), HasSubstr(said))) << text;
  }
  EXPECT_EQ(compare(good + " " + path("none.json")).code, 2);
}

TEST_F(compare_program, says_when_there_is_nothing_in_common) {
  run_file other = empty_run();
  add_cell(other, "set/redis/wire/sync", {1, 2, 3});
  save(path("b.json"), other);
  const command_output done = compare(write("a.json", 1000) + " " + path("b.json"));
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.text, HasSubstr("nothing in common"));
}

TEST_F(compare_program, compares_the_drivers_of_the_reference_run) {
  const command_output done = compare(DBDYNO_REFERENCE "/quick.json --by driver");
  EXPECT_EQ(done.code, 0) << done.text;
  EXPECT_THAT(done.text,
              AllOf(HasSubstr("get/*/sync/transport:tcp"), HasSubstr("redis/wire"), HasSubstr("mysql/text")));
}

}  // namespace
}  // namespace dbdyno::results
