#include "bench/handicap.hpp"

#include <gtest/gtest.h>

#include "bench/get.hpp"
#include "bench/load.hpp"
#include "bench/sync_loop.hpp"

namespace dbdyno {
namespace {

/// Every reading takes a nanosecond, so that waiting for it comes to an end.
class reading_clock {
 public:
  using ticks = std::uint64_t;

  explicit reading_clock(ticks& time) noexcept : time_(&time) {}

  ticks now() const noexcept { return ++*time_; }
  ticks ticks_in(std::chrono::nanoseconds length) const noexcept {
    return static_cast<ticks>(length.count());
  }
  std::uint64_t nanoseconds(ticks difference) const noexcept { return difference; }
  time_point steady_time(ticks at, ticks) const noexcept {
    return time_point(std::chrono::nanoseconds(static_cast<std::int64_t>(at)));
  }
  void sleep_until(ticks at) const noexcept { *time_ = at; }

 private:
  ticks* time_;
};

/// Takes as long as it is told to for every get.
class timed_driver {
 public:
  timed_driver(std::uint64_t& time, std::uint64_t takes) : time_(time), takes_(takes) {}
  timed_driver(const timed_driver&) = delete;
  timed_driver& operator=(const timed_driver&) = delete;

  op_status get(const key& k, std::string_view& value) noexcept {
    time_ += takes_;
    value_.resize(data_.largest_value());
    data_.fill_value(k.id(), value_.data());
    value = value_;
    return op_status::ok;
  }
  op_status set(const key&, std::string_view) noexcept { return op_status::refused; }
  void interrupt() noexcept {}
  std::string last_error() const { return {}; }

 private:
  std::uint64_t& time_;
  std::uint64_t takes_;
  data_set data_{100, 32, 1};
  std::string value_{};
};

struct window {
  double length = 0;
  latencies times{};
};

template <class Clock>
window run(std::uint64_t requests, std::uint64_t takes) {
  const data_set data(100, 32, 1);
  std::uint64_t time = 1'000'000'000;
  const reading_clock real(time);
  timed_driver driver(time, takes);
  get_workload workload(workload_settings{.data = data});
  const key_ring keys(data, key_order{}, 1, 0);
  std::atomic<std::uint64_t> progress{0};
  lost_connections lost(1, 1, 1, 1);
  sync_loop<timed_driver, get_workload, closed_load, Clock> loop(driver, workload, Clock(real), keys.begin(),
                                                                 progress, lost);
  // What passes before a loop starts is none of its requests'.
  time += 1'000'000'000;
  const std::uint64_t begin = time;
  const std::atomic<bool> never{false};
  error_budget budget(error_limit{});
  tally counts;
  closed_load load;
  window out;
  loop.run({never, budget, requests, 1'000'000'000, 1'000'000'000}, counts, out.times, load);
  EXPECT_EQ(counts.operations(), requests);
  out.length = static_cast<double>(time - begin);
  return out;
}

using five = handicapped_clock<reading_clock, 5>;

// No ordinary build knows of it.
static_assert(std::is_same_v<loop_clock<closed_load>, tick_clock> == (handicap_percent == 0));
static_assert(std::is_same_v<loop_clock<open_load>, tick_clock>);

TEST(handicap, makes_a_loop_take_five_percent_longer_however_long_its_requests_are) {
  for (const std::uint64_t takes : {30U, 700U, 19'000U, 50'000U, 3'000'000U}) {
    const std::uint64_t requests = 60'000'000 / takes;
    const double plain = run<reading_clock>(requests, takes).length;
    EXPECT_NEAR(run<five>(requests, takes).length / plain, 1.05, 0.0005) << takes << " ns";
  }
}

TEST(handicap, is_part_of_the_latency_of_every_request_that_is_longer_than_a_slice) {
  const latencies times = run<five>(1000, 50'000).times;
  EXPECT_EQ(times.ok.count(), 1000U);
  EXPECT_NEAR(static_cast<double>(times.ok.max()), 52'500, 5);
  EXPECT_NEAR(static_cast<double>(times.ok.sum()), 52'500'000, 5'000);
}

TEST(handicap, does_not_count_sleep) {
  std::uint64_t time = 1'000'000;
  const five clock{reading_clock(time)};
  clock.sleep_until(1'000'000'000);
  EXPECT_LE(clock.now(), 1'000'000'010U);
}

}  // namespace
}  // namespace dbdyno
