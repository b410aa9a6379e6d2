#include "bench/thread_usage.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <thread>

#include "bench/burn_cpu.hpp"

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(ThreadUsage, CountsTheCpuTimeOfTheCallingThreadOnly) {
  std::thread other([] { burn_cpu(milliseconds(200)); });
  const thread_usage before = read_thread_usage();
  burn_cpu(milliseconds(100));
  other.join();
  const thread_cost cost = cost_between(before, read_thread_usage());
  EXPECT_NEAR(static_cast<double>(cost.cpu.count()), 100e6, 3e6);
  EXPECT_FALSE(cost.split.has_value()) << "the window was short";
}

TEST(ThreadUsage, CountsEachWait) {
  const thread_usage before = read_thread_usage();
  const timespec moment{0, 100'000};
  for (int i = 0; i < 200; ++i) ::nanosleep(&moment, nullptr);
  const thread_cost cost = cost_between(before, read_thread_usage());
  // A sleep that is over before the thread has left the CPU is no switch, so not quite every one counts.
  EXPECT_GE(cost.voluntary_switches, 180U);
  EXPECT_LT(cost.voluntary_switches, 300U);
}

TEST(ThreadUsage, SplitsALongWindow) {
  const thread_usage before = read_thread_usage();
  burn_cpu(milliseconds(200));
  thread_usage after = read_thread_usage();
  after.at = before.at + min_split_window;
  const thread_cost cost = cost_between(before, after);
  ASSERT_TRUE(cost.split.has_value());
  EXPECT_GT(cost.split->user, cost.split->system);
  EXPECT_NEAR(static_cast<double>((cost.split->user + cost.split->system).count()), 200e6, 20e6);
}

TEST(ThreadCost, AddsUpOverThreads) {
  thread_cost sum;
  sum += {milliseconds(10), sampled_split{seconds(1), seconds(2)}, 3, 4};
  sum += {milliseconds(20), sampled_split{seconds(10), seconds(20)}, 30, 40};
  EXPECT_EQ(sum.cpu, milliseconds(30));
  ASSERT_TRUE(sum.split.has_value());
  EXPECT_EQ(sum.split->user, seconds(11));
  EXPECT_EQ(sum.split->system, seconds(22));
  EXPECT_EQ(sum.voluntary_switches, 33U);
  EXPECT_EQ(sum.involuntary_switches, 44U);

  sum += {milliseconds(1), std::nullopt, 0, 0};
  EXPECT_EQ(sum.cpu, milliseconds(31));
  EXPECT_FALSE(sum.split.has_value()) << "a part of it is unknown";
}

}  // namespace
}  // namespace dbdyno
