#include "bench/google_flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

google_flags take(std::vector<std::string> arguments) {
  return take_google_flags(arguments);
}

std::string complaint(const std::string& argument) {
  try {
    take({argument});
  } catch (const usage_error& error) {
    return error.what();
  }
  return "none";
}

TEST(google_flags, leaves_other_arguments_in_their_order) {
  std::vector<std::string> arguments{"--keys", "--benchmark_filter=x", "10", "--quiet"};
  EXPECT_EQ(take_google_flags(arguments).filter, "x");
  EXPECT_THAT(arguments, ElementsAre("--keys", "10", "--quiet"));
}

TEST(google_flags, reads_those_with_a_meaning_of_ours) {
  const google_flags flags = take({"--benchmark_min_time=2", "--benchmark_repetitions=3",
                                   "--benchmark_list_tests", "--benchmark_format=json"});
  EXPECT_EQ(flags.min_time, "2");
  EXPECT_EQ(flags.repetitions, "3");
  EXPECT_TRUE(flags.list_tests);
  EXPECT_EQ(flags.format, "json");
}

TEST(google_flags, passes_the_rest_on) {
  EXPECT_THAT(take({"--benchmark_counters_tabular", "--benchmark_time_unit=us"}).passed_on,
              ElementsAre("--benchmark_counters_tabular=true", "--benchmark_time_unit=us"));
}

TEST(google_flags, keeps_an_equals_sign_inside_a_value) {
  EXPECT_EQ(take({"--benchmark_filter=a=b"}).filter, "a=b");
}

TEST(google_flags, refuses_the_stock_interleaving_and_names_the_seed) {
  EXPECT_THAT(complaint("--benchmark_enable_random_interleaving=true"), HasSubstr("--seed"));
  EXPECT_THAT(complaint("--benchmark_enable_random_interleaving"), HasSubstr("--seed"));
  EXPECT_EQ(complaint("--benchmark_enable_random_interleaving=false"), "none");
}

TEST(google_flags, names_what_it_does_not_know) {
  EXPECT_EQ(complaint("--benchmark_fliter=x"),
            "unknown flag --benchmark_fliter; did you mean --benchmark_filter?");
  EXPECT_EQ(complaint("--benchmark_perf_counters=x"),
            "unknown flag --benchmark_perf_counters; --help lists them");
  EXPECT_THAT(complaint("--benchmark_filter"), HasSubstr("--benchmark_filter"));
  EXPECT_THAT(complaint("--benchmark_format=xml"), HasSubstr("xml"));
  EXPECT_THAT(complaint("--benchmark_list_tests=maybe"), HasSubstr("maybe"));
  EXPECT_THAT(complaint("--benchmark_time_unit=parsec"), HasSubstr("parsec"));
  EXPECT_THAT(complaint("--benchmark_color=banana"), HasSubstr("banana"));
  EXPECT_THAT(complaint("--benchmark_context=foo"), HasSubstr("foo"));
}

}  // namespace
}  // namespace dbdyno
