#include "results/program.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "results/atomic_file.hpp"
#include "results/command_line.hpp"
#include "results/run_file_reader.hpp"

using namespace dbdyno::results;

namespace {

struct outcome {
  int code = -1;
  std::string text{};
};

template <class Body>
outcome run(Body body, int otherwise = exit_failed) {
  testing::internal::CaptureStderr();
  const int code = run_program("dbdyno-x", body, otherwise);
  return {code, testing::internal::GetCapturedStderr()};
}

TEST(Program, EndsWithWhatItsBodyReturns) {
  const auto result = run([] { return exit_nothing_matched; });
  EXPECT_EQ(result.code, 5);
  EXPECT_EQ(result.text, "");
}

TEST(Program, EndsWith2ForWhatTheUserGotWrong) {
  const auto usage = run([]() -> int { throw command_line_error("--x: no"); });
  EXPECT_EQ(usage.code, 2);
  EXPECT_EQ(usage.text, "dbdyno-x: --x: no\n");
  const auto file = run([]() -> int { throw result_file_error("a.json", "no"); });
  EXPECT_EQ(file.code, 2);
  EXPECT_EQ(file.text, "dbdyno-x: a.json: no\n");
  EXPECT_EQ(run([]() -> int { throw result_path_error("a.json", "no"); }).code, 2);
}

TEST(Program, EndsAsItIsToldForAnythingElse) {
  const auto body = []() -> int { throw std::runtime_error("no"); };
  EXPECT_EQ(run(body).code, 1);
  EXPECT_EQ(run(body).text, "dbdyno-x: no\n");
  EXPECT_EQ(run(body, exit_usage).code, 2);
}

}  // namespace
