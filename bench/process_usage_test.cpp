#include "bench/process_usage.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "bench/burn_cpu.hpp"
#include "bench/worker_process.hpp"
#include "drivers/wire/unique_fd.hpp"

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

void stay_on_one_cpu() {
  cpu_set_t allowed;
  ASSERT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int first = 0;
  while (!CPU_ISSET(first, &allowed)) ++first;
  CPU_ZERO(&allowed);
  CPU_SET(first, &allowed);
  ASSERT_EQ(::sched_setaffinity(0, sizeof allowed, &allowed), 0);
}

TEST(ProcessUsage, CountsTheCpuTimeOfEndedThreadsOfAnotherProcess) {
  worker_process worker([] {
    std::thread other([] { burn_cpu(milliseconds(100)); });
    burn_cpu(milliseconds(100));
    other.join();
    return 0;
  });
  const process_usage before = read_process_usage(worker.pid());
  worker.work();
  const process_cost cost = cost_between(before, read_process_usage(worker.pid()));
  ASSERT_TRUE(cost.cpu.has_value());
  EXPECT_NEAR(static_cast<double>(cost.cpu->count()), 200e6, 6e6);
}

TEST(ProcessUsage, TellsBeingPreemptedFromWaiting) {
  worker_process waiting([] {
    const timespec moment{0, 100'000};
    for (int i = 0; i < 200; ++i) ::nanosleep(&moment, nullptr);
    return 0;
  });
  const process_usage before_waiting = read_process_usage(waiting.pid());
  waiting.work();
  const auto waits = cost_between(before_waiting, read_process_usage(waiting.pid())).switches;
  ASSERT_TRUE(waits.has_value());
  // A sleep that is over before the thread has left the CPU is no switch, so not quite every one counts.
  EXPECT_GE(waits->voluntary, 180U);
  EXPECT_LT(waits->voluntary, 300U);

  worker_process competing([] {
    stay_on_one_cpu();
    std::thread other([] { burn_cpu(milliseconds(200)); });
    burn_cpu(milliseconds(100));
    other.join();
    return 0;
  });
  const process_usage before_competing = read_process_usage(competing.pid());
  competing.work();
  const auto preemptions = cost_between(before_competing, read_process_usage(competing.pid())).switches;
  ASSERT_TRUE(preemptions.has_value());
  EXPECT_GE(preemptions->involuntary, 3U);
}

TEST(ProcessUsage, SeesMemoryTakenAndGivenBack) {
  constexpr std::size_t size = std::size_t{64} << 20;
  constexpr auto tolerance = static_cast<double>(4 << 20);
  worker_process worker([held = static_cast<void*>(nullptr)]() mutable {
    if (held != nullptr) {
      ::munmap(held, size);
      return 0;
    }
    held = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return held == MAP_FAILED ? 1 : 0;
  });
  const process_usage small = read_process_usage(worker.pid());
  ASSERT_EQ(worker.work(), 0);
  const process_usage large = read_process_usage(worker.pid());
  ASSERT_EQ(worker.work(), 0);
  const process_usage small_again = read_process_usage(worker.pid());
  const auto taken = cost_between(small, large).resident_growth;
  const auto given_back = cost_between(large, small_again).resident_growth;
  ASSERT_TRUE(taken && given_back);
  EXPECT_NEAR(static_cast<double>(*taken), static_cast<double>(size), tolerance);
  EXPECT_NEAR(static_cast<double>(*given_back), -static_cast<double>(size), tolerance);
}

TEST(ProcessUsage, CountsWhatIsWrittenTowardsADisk) {
  constexpr std::size_t size = std::size_t{1} << 20;
  constexpr std::size_t at_most_for_the_file_system = 128 << 10;
  std::string name = "process_usage_test.XXXXXX";
  const unique_fd file(::mkstemp(name.data()));
  ASSERT_TRUE(file);
  ::unlink(name.c_str());
  struct statfs place {};
  ASSERT_EQ(::fstatfs(file.get(), &place), 0);
  const bool in_memory = place.f_type == TMPFS_MAGIC || place.f_type == RAMFS_MAGIC;
  const std::vector<char> bytes(size, 'x');
  const unique_fd nowhere(::open("/dev/null", O_WRONLY));

  const process_usage before = read_process_usage(::getpid());
  ASSERT_EQ(::write(file.get(), bytes.data(), size), static_cast<ssize_t>(size));
  ASSERT_EQ(::fsync(file.get()), 0);
  ASSERT_EQ(::write(nowhere.get(), bytes.data(), size), static_cast<ssize_t>(size)) << "no disk's";
  const process_cost cost = cost_between(before, read_process_usage(::getpid()));
  ASSERT_TRUE(cost.read_bytes && cost.written_bytes);
  const std::size_t expected = in_memory ? 0 : size;
  EXPECT_GE(*cost.written_bytes, expected);
  EXPECT_LE(*cost.written_bytes, expected + at_most_for_the_file_system);
  EXPECT_EQ(*cost.read_bytes, 0U);
}

TEST(ProcessUsage, GivesTheSplitOfALongWindowOnly) {
  worker_process worker([] {
    burn_cpu(milliseconds(300));
    return 0;
  });
  process_usage before = read_process_usage(worker.pid());
  worker.work();
  process_usage after = read_process_usage(worker.pid());
  after.at = before.at + min_split_window - nanoseconds(1);
  EXPECT_FALSE(cost_between(before, after).split.has_value());
  after.at = before.at + min_split_window;
  const process_cost cost = cost_between(before, after);
  ASSERT_TRUE(cost.split.has_value());
  EXPECT_GT(cost.split->user, cost.split->system);
  EXPECT_NEAR(static_cast<double>((cost.split->user + cost.split->system).count()), 300e6, 30e6);
}

TEST(ProcessUsage, IsAbsentOnceTheProcessIsGone) {
  worker_process worker([] { return 0; });
  const pid_t pid = worker.pid();
  const process_usage before = read_process_usage(pid);
  EXPECT_TRUE(before.cpu && before.split && before.read_bytes && before.written_bytes &&
              before.resident_bytes);
  EXPECT_EQ(before.switches.size(), 1U);
  worker.end();
  const process_usage after = read_process_usage(pid);
  EXPECT_FALSE(after.start_time || after.cpu || after.split || after.read_bytes || after.written_bytes ||
               after.resident_bytes);
  EXPECT_TRUE(after.switches.empty());
  const process_cost cost = cost_between(before, after);
  EXPECT_FALSE(cost.cpu || cost.split || cost.switches || cost.read_bytes || cost.written_bytes ||
               cost.resident_growth);
}

TEST(ProcessUsage, GivesNoDifferenceBetweenTwoProcessesOfOneNumber) {
  const process_usage before = read_process_usage(::getpid());
  process_usage after = read_process_usage(::getpid());
  EXPECT_TRUE(cost_between(before, after).cpu.has_value());
  after.start_time = *after.start_time + 1;
  const process_cost cost = cost_between(before, after);
  EXPECT_FALSE(cost.cpu || cost.split || cost.switches || cost.read_bytes || cost.written_bytes ||
               cost.resident_growth);
}

// Another user's, or for the same user one that may not be traced.
TEST(ProcessUsage, LeavesOutOnlyWhatItMayNotRead) {
  worker_process secretive([] { return ::prctl(PR_SET_DUMPABLE, 0) == 0 ? 0 : 1; });
  ASSERT_EQ(secretive.work(), 0);
  worker_process reader([observed = secretive.pid()] {
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0 && ::setuid(nobody) != 0) return 100;
    const process_usage usage = read_process_usage(observed);
    return (usage.cpu ? 1 : 0) + (usage.resident_bytes ? 2 : 0) + (usage.read_bytes ? 4 : 0) +
           (usage.written_bytes ? 8 : 0);
  });
  EXPECT_EQ(reader.work(), 1 + 2);
}

TEST(ProcessUsage, LosesTheSwitchesOfEndedThreadsButNoOthers) {
  process_usage before;
  before.start_time = 1;
  before.switches = {{10, {100, 5}}, {11, {1000000, 1000000}}, {12, {50, 50}}};
  process_usage after;
  after.start_time = 1;
  after.switches = {{10, {107, 6}}, {12, {3, 60}}, {13, {20, 2}}};  // 11 ended, 12 is a new one
  EXPECT_EQ(cost_between(before, after).switches, (context_switches{7 + 3 + 20, 1 + 60 + 2}));
}

TEST(ProcessStat, IsReadBehindAnyProgramName) {
  const std::string rest = " S 1 2 3 0 -1 4194560 7 8 9 10 1234 567 0 0 20 0 5 0 987654321 3133440 366\n";
  for (const std::string name : {"redis-server", "a b", "x) R 1 (y", ""}) {
    const auto stat = parse_process_stat(std::string("4711 (").append(name).append(")").append(rest));
    ASSERT_TRUE(stat.has_value()) << name;
    EXPECT_EQ(stat->user, 1234U);
    EXPECT_EQ(stat->system, 567U);
    EXPECT_EQ(stat->start_time, 987654321U);
  }
  EXPECT_FALSE(parse_process_stat("4711 (cut) S 1 2 3 0 -1 4194560 7 8 9 10 1234 567 0 0 20").has_value());
  EXPECT_FALSE(parse_process_stat("").has_value());
}

TEST(ProcessStat, ContextSwitchesAreNotMistakenForEachOther) {
  EXPECT_EQ(
      parse_context_switches("Threads:\t1\nnonvoluntary_ctxt_switches:\t34\nvoluntary_ctxt_switches:\t12\n"),
      (context_switches{12, 34}));
  EXPECT_FALSE(parse_context_switches("nonvoluntary_ctxt_switches:\t34\n").has_value());
}

TEST(ProcessStat, ResidentPagesAreTheSecondFigure) {
  EXPECT_EQ(parse_resident_pages("765 366 333 5 0 89 0\n"), 366U);
  EXPECT_FALSE(parse_resident_pages("765").has_value());
}

}  // namespace
}  // namespace dbdyno
