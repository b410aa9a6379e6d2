#include "bench/max_rate_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

/// Searches where every rate up to `knee` keeps the limit; returns the number of steps.
int search(max_rate_search& on, double knee) {
  int steps = 0;
  while (const auto rate = on.next()) {
    EXPECT_LT(steps, 100);
    on.tell(*rate <= knee);
    ++steps;
  }
  return steps;
}

TEST(max_rate_search, comes_within_two_percent_of_the_knee_wherever_it_is) {
  for (const double knee : {1000.0, 30'000.0, 77'777.0, 99'000.0, 100'000.0, 120'000.0}) {
    max_rate_search on(100'000);
    EXPECT_LE(search(on, knee), 16);
    ASSERT_TRUE(on.knee()) << knee;
    EXPECT_LE(*on.knee(), knee);
    EXPECT_GE(*on.knee(), knee / 1.025) << knee;
  }
}

TEST(max_rate_search, finds_nothing_where_no_rate_keeps_the_limit) {
  max_rate_search on(100'000);
  EXPECT_LE(search(on, 0), 10);
  EXPECT_FALSE(on.knee());
}

TEST(latency_limit, is_a_figure_and_a_time) {
  EXPECT_EQ(parse_latency_limit("--f", "p99=5ms").nanoseconds, 5'000'000U);
  EXPECT_EQ(parse_latency_limit("--f", "p99=5ms").counter(), "p99_ns");
  EXPECT_EQ(parse_latency_limit("--f", "max=0.25s").nanoseconds, 250'000'000U);
  EXPECT_EQ(parse_latency_limit("--f", "p999=800us").nanoseconds, 800'000U);
  EXPECT_EQ(to_string(parse_latency_limit("--f", "p50=1500us")), "p50=1.5ms");
}

TEST(latency_limit, says_what_it_takes_when_it_is_none) {
  for (const char* text : {"", "p99", "p99=", "p98=5ms", "p99=5", "p99=ms", "p99=-5ms", "p99=1.2.3ms",
                           "p99=0ms", "p99=61s", "p99=5 ms"}) {
    try {
      parse_latency_limit("--max-rate-under", text);
      ADD_FAILURE() << text;
    } catch (const usage_error& error) {
      EXPECT_THAT(error.what(),
                  testing::AllOf(testing::HasSubstr("--max-rate-under"), testing::HasSubstr("p99=5ms")));
    }
  }
}

}  // namespace
}  // namespace dbdyno
