#include "results/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "results/temporary_directory.hpp"

namespace fs = std::filesystem;
using namespace dbdyno::results;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class Machine : public testing::Test {
 protected:
  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((root() / name).parent_path());
    std::ofstream(root() / name) << text;
  }

  fs::path root() const { return directory_.path(); }

 private:
  temporary_directory directory_;
};

TEST_F(Machine, IsReadFromWhatTheKernelShows) {
  write(
      "proc/cpuinfo",
      "processor\t: 0\nmodel name\t: Fast CPU @ 3.5 GHz: new\ncpu MHz\t\t: 2401.250\nflags\t\t: fpu sse2\n\n"
      "processor\t: 1\nmodel name\t: Other CPU\n");
  write("proc/meminfo", "MemTotal:       2048 kB\nMemFree:        1 kB\n");
  write("proc/sys/kernel/hostname", "box\n");
  write("proc/sys/kernel/osrelease", "6.1.0-9-amd64\n");
  write("sys/devices/system/cpu/online", "0-3,8\n");
  write("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3500000\n");
  write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  write("sys/devices/system/cpu/cpu8/cpufreq/scaling_governor", "performance\n");
  write("sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");
  write("sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
  write("sys/devices/system/cpu/cpu0/cache/index0/size", "48K\n");
  write("sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list", "0,2\n");
  write("sys/devices/system/cpu/cpu0/cache/index1/type", "Unified\n");
  write("sys/devices/system/cpu/cpu0/cache/index1/level", "3\n");
  write("sys/devices/system/cpu/cpu0/cache/index1/size", "2048K\n");
  write("sys/devices/system/cpu/cpu0/cache/index1/shared_cpu_list", "0-3\n");

  const auto machine = read_machine(root());
  EXPECT_EQ(machine.host_name, "box");
  EXPECT_EQ(machine.cpu_model, "Fast CPU @ 3.5 GHz: new");
  EXPECT_EQ(machine.cpu_count, 5U);
  EXPECT_EQ(machine.cpu_mhz, 3500U);
  EXPECT_EQ(machine.virtualised, false);
  EXPECT_EQ(machine.governor, "performance,powersave");
  EXPECT_EQ(machine.kernel, "6.1.0-9-amd64");
  EXPECT_EQ(machine.memory_bytes, 2048U * 1024U);
  EXPECT_THAT(machine.caches,
              ElementsAre(cpu_cache{"Data", 1, 49152, 2}, cpu_cache{"Unified", 3, 2097152, 4}));
}

TEST_F(Machine, IsVirtualisedWhereAHypervisorIsAnnounced) {
  write("proc/cpuinfo", "cpu MHz\t\t: 2000.000\nflags\t\t: fpu hypervisor lahf_lm\n");
  const auto machine = read_machine(root());
  EXPECT_EQ(machine.virtualised, true);
  EXPECT_EQ(machine.cpu_mhz, 2000U) << "without frequency scaling the kernel's own figure is taken";
}

TEST_F(Machine, LeavesOutWhatTheKernelDoesNotShow) {
  EXPECT_EQ(read_machine(root()), machine_info{});
  EXPECT_THAT(read_load_averages(root()), IsEmpty());
}

TEST_F(Machine, IgnoresFilesOfAnotherForm) {
  write("proc/cpuinfo", "BogoMIPS\t: 48.00\nFeatures\t: fp asimd hypervisor\n");
  write("proc/meminfo", "MemTotal: much\n");
  write("proc/loadavg", "n/a\n");
  write("sys/devices/system/cpu/online", "x-y\n");
  write("sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");
  write("sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
  write("sys/devices/system/cpu/cpu0/cache/index0/size", "large\n");
  EXPECT_EQ(read_machine(root()), machine_info{});
  EXPECT_THAT(read_load_averages(root()), IsEmpty());
}

TEST_F(Machine, ReadsLoadAverages) {
  write("proc/loadavg", "0.25 1.50 12.00 3/151 4711\n");
  EXPECT_THAT(read_load_averages(root()), ElementsAre(0.25, 1.5, 12));
}

TEST(ThisMachine, HasWhatEveryLinuxShows) {
  const auto machine = read_machine();
  char host_name[256] = {};
  ASSERT_EQ(gethostname(host_name, sizeof host_name - 1), 0);
  EXPECT_EQ(machine.host_name, host_name);
  EXPECT_EQ(static_cast<long>(machine.cpu_count), sysconf(_SC_NPROCESSORS_ONLN));
  EXPECT_TRUE(machine.kernel);
  EXPECT_GT(machine.memory_bytes.value_or(0), 0U);
  EXPECT_EQ(read_load_averages().size(), 3U);
}

}  // namespace
