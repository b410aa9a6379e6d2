#include "bench/tick_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(tick_clock, agrees_with_steady_clock) {
  const tick_clock clock = tick_clock::calibrated();
  // Of several tries the best: between the readings of the two clocks the thread may lose its CPU.
  double best = 1;
  for (int i = 0; i < 10; ++i) {
    const auto begin = clock.now();
    const auto steady_begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(milliseconds(20));
    const auto ticks = clock.now() - begin;
    const nanoseconds steady = std::chrono::steady_clock::now() - steady_begin;
    const double ratio = static_cast<double>(clock.nanoseconds(ticks)) / static_cast<double>(steady.count());
    best = std::min(best, std::abs(ratio - 1));
  }
  EXPECT_LT(best, 0.0005);
}

TEST(tick_clock, never_goes_back) {
  const tick_clock clock = tick_clock::calibrated();
  auto last = clock.now();
  for (int i = 0; i < 100'000; ++i) {
    const auto now = clock.now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(tick_clock, turns_durations_into_ticks_and_back) {
  for (const tick_clock& clock : {tick_clock(), tick_clock::calibrated()}) {
    for (const std::int64_t ns :
         {std::int64_t{1'000}, std::int64_t{1'000'000'000}, std::int64_t{86'400'000'000'000}}) {
      const auto back = static_cast<double>(clock.nanoseconds(clock.ticks_in(nanoseconds(ns))));
      EXPECT_NEAR(back / static_cast<double>(ns), 1, 0.002) << clock.source();
    }
  }
}

TEST(tick_clock, sleeps_no_shorter_than_told) {
  const tick_clock clock = tick_clock::calibrated();
  const auto until = clock.now() + clock.ticks_in(milliseconds(5));
  clock.sleep_until(until);
  EXPECT_GE(clock.now(), until);
  clock.sleep_until(until - 1);
}

TEST(tick_clock, knows_what_measuring_costs) {
  const clock_costs costs = measure_costs(tick_clock::calibrated());
  EXPECT_GT(costs.read, 0.1);
  EXPECT_LT(costs.read, 10'000);
  EXPECT_GT(costs.record, 0.1);
  EXPECT_LT(costs.record, 10'000);
}

}  // namespace
}  // namespace dbdyno
