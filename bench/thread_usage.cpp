#include "bench/thread_usage.hpp"

#include <sys/resource.h>

#include <ctime>

namespace dbdyno {
namespace {

std::chrono::nanoseconds time_of(const timeval& value) noexcept {
  return std::chrono::seconds(value.tv_sec) + std::chrono::microseconds(value.tv_usec);
}

}  // namespace

thread_usage read_thread_usage() noexcept {
  thread_usage usage;
  timespec cpu{};
  rusage resources{};
  // Neither fails for the calling thread.
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
  ::getrusage(RUSAGE_THREAD, &resources);
  usage.at = std::chrono::steady_clock::now();
  usage.cpu = std::chrono::seconds(cpu.tv_sec) + std::chrono::nanoseconds(cpu.tv_nsec);
  usage.split = {time_of(resources.ru_utime), time_of(resources.ru_stime)};
  usage.voluntary_switches = static_cast<std::uint64_t>(resources.ru_nvcsw);
  usage.involuntary_switches = static_cast<std::uint64_t>(resources.ru_nivcsw);
  return usage;
}

thread_cost& thread_cost::operator+=(const thread_cost& other) noexcept {
  cpu += other.cpu;
  if (split && other.split) {
    split->user += other.split->user;
    split->system += other.split->system;
  } else {
    split.reset();
  }
  voluntary_switches += other.voluntary_switches;
  involuntary_switches += other.involuntary_switches;
  return *this;
}

thread_cost cost_between(const thread_usage& before, const thread_usage& after) noexcept {
  return {after.cpu - before.cpu, split_between(before.split, after.split, after.at - before.at),
          after.voluntary_switches - before.voluntary_switches,
          after.involuntary_switches - before.involuntary_switches};
}

}  // namespace dbdyno
