#include "bench/tick_clock.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

#include "results/histogram.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace dbdyno {
namespace {

bool counter_is_invariant() noexcept {
#if defined(__x86_64__)
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1U << 8)) != 0;
#else
  return false;
#endif
}

/// The kernel turns away from a counter that stops, jumps or differs between CPUs.
bool kernel_trusts_counter() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string name;
  file >> name;
  // Others, such as kvm-clock, are what it turns to where it does not trust the counter.
  return name == "tsc";
}

struct reading {
  std::uint64_t counter = 0;
  std::int64_t steady = 0;
};

/// Both clocks at the same moment: of many pairs the one in which they were read the closest together.
reading read_both() {
  reading best;
  std::uint64_t narrowest = ~std::uint64_t{0};
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t before = detail::read_cpu_counter();
    const std::int64_t steady = std::chrono::steady_clock::now().time_since_epoch().count();
    const std::uint64_t after = detail::read_cpu_counter();
    if (after - before >= narrowest) continue;
    narrowest = after - before;
    best = {before + (after - before) / 2, steady};
  }
  return best;
}

constexpr int readings = 10'000;

}  // namespace

tick_clock tick_clock::calibrated() {
  tick_clock out;
  if (!counter_is_invariant() || !kernel_trusts_counter()) return out;
  const reading first = read_both();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const reading second = read_both();
  if (second.counter <= first.counter || second.steady <= first.steady) return out;
  const double nanoseconds_per_tick =
      static_cast<double>(second.steady - first.steady) / static_cast<double>(second.counter - first.counter);
  out.scale_ = static_cast<std::uint64_t>(std::llround(nanoseconds_per_tick * 4294967296.0));
  out.counter_ = true;
  return out;
}

void tick_clock::sleep_until(ticks at) const noexcept {
  while (true) {
    const ticks now = this->now();
    if (now >= at) return;
    const auto until = steady_time(at, now).time_since_epoch().count();
    const timespec when{until / 1'000'000'000, until % 1'000'000'000};
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr);
  }
}

clock_costs measure_costs(const tick_clock& clock) {
  clock_costs out;
  results::histogram scratch;
  // Readings are what is measured, so they are taken from the clock that is not.
  const auto since = [](time_point begin) {
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() /
           readings;
  };
  out.read = out.record = 1e9;
  for (int round = 0; round < 5; ++round) {
    tick_clock::ticks sum = 0;
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < readings; ++i) sum += clock.now();
    out.read = std::min(out.read, since(begin));
    begin = std::chrono::steady_clock::now();
    for (int i = 0; i < readings; ++i) {
      sum = sum * 6364136223846793005 + 1442695040888963407;
      scratch.record(sum >> 44);
    }
    out.record = std::min(out.record, since(begin));
  }
  return out;
}

}  // namespace dbdyno
