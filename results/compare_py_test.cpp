#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "results/aggregates.hpp"
#include "results/command_output.hpp"
#include "results/example_run.hpp"
#include "results/run_file_writer.hpp"
#include "results/temporary_directory.hpp"

using namespace dbdyno::results;
using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;

namespace {

constexpr const char* get = "get/redis/wire/sync/transport:tcp";
constexpr const char* set = "set/mysql/text/sync/transport:unix";

row repetition(const char* name, unsigned index, double time) {
  row r;
  r.name = name;
  r.repetition = index;
  r.repetitions = 3;
  r.iterations = 1000;
  r.real_time = time;
  r.cpu_time = time / 2;
  r.counters["items_per_second"] = 1e9 / time;
  return r;
}

run_file run(double factor) {
  auto file = example_run();
  file.rows.clear();
  for (const unsigned index : {0U, 1U, 2U}) {
    file.rows.push_back(repetition(get, index, 100 * factor));
    file.rows.push_back(repetition(set, index, 4000));
  }
  file.rows = with_aggregates(std::move(file.rows));
  return file;
}

struct outcome {
  int exit_code = -1;
  std::vector<std::vector<std::string>> lines;  ///< in words
};

outcome compare(const std::string& a, const std::string& b) {
  const auto run =
      run_command(std::string(DBDYNO_COMPARE_PYTHON " " DBDYNO_COMPARE_PY " --no-color benchmarks '") + a +
                  "' '" + b + "'");
  if (run.code != 0) ADD_FAILURE() << run.text;
  outcome result{.exit_code = run.code, .lines = {}};
  std::istringstream lines(run.text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    result.lines.emplace_back(std::istream_iterator<std::string>(words),
                              std::istream_iterator<std::string>());
  }
  return result;
}

class ComparePy : public testing::Test {
 protected:
  std::string saved(const char* name, const run_file& file) const {
    auto path = (directory_.path() / name).string();
    save(path, file);
    return path;
  }

 private:
  temporary_directory directory_;
};

TEST_F(ComparePy, ReadsOurFiles) {
  const auto result = compare(saved("a.json", run(1)), saved("b.json", run(2)));
  EXPECT_EQ(result.exit_code, 0);
  const std::vector<std::string> doubled = {get, "+1.0000", "+1.0000", "100", "200", "50", "100"};
  const std::vector<std::string> same = {set, "+0.0000", "+0.0000", "4000", "4000", "2000", "2000"};
  EXPECT_EQ(std::count(result.lines.begin(), result.lines.end(), doubled), 3);
  EXPECT_EQ(std::count(result.lines.begin(), result.lines.end(), same), 3);
  const auto mean = std::string(get) + "_mean";
  EXPECT_THAT(result.lines, Contains(ElementsAre(mean, "+1.0000", "+1.0000", "100", "200", "50", "100")));
  EXPECT_THAT(result.lines, Contains(IsSupersetOf({std::string(get) + "_pvalue"})));
  // The 6 ratios are 2, 2, 2, 1, 1, 1; their geometric mean is the square root of 2.
  EXPECT_THAT(result.lines, Contains(IsSupersetOf({std::string("OVERALL_GEOMEAN"), std::string("+0.4142")})));
}

TEST_F(ComparePy, ReadsAFileWithErrors) {
  auto failing = run(1);
  row failed;
  failed.name = "get/lmdb/lmdb/sync";
  failed.error_message = "the disk said \"no\"\n";
  failing.rows.push_back(failed);
  const auto result = compare(saved("a.json", run(2)), saved("b.json", failing));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.lines, Contains(ElementsAre(get, "-0.5000", "-0.5000", "200", "100", "100", "50")));
}

}  // namespace
