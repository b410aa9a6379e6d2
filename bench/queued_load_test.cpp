#include "bench/queued_load.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "bench/get.hpp"
#include "bench/in_flight_loop.hpp"
#include "bench/virtual_clock.hpp"

namespace dbdyno {
namespace {

constexpr std::uint64_t ms = 1'000'000;

TEST(queued_load, hands_out_first_what_was_issued_first) {
  queued_load load(3, 5);
  load.fill(10);
  load.issue(1, 20);
  EXPECT_EQ(load.age(30), 3U * 20 + 10);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(load.due(), 10U);
    load.take(25);
  }
  EXPECT_EQ(load.due(), 20U);
  load.take(25);
  EXPECT_TRUE(load.over());
  load.issue(4, 30);
  EXPECT_EQ(load.due(), 30U);
  load.take(30);
  EXPECT_TRUE(load.over()) << "of 5 requests the last was taken";
}

TEST(queued_load, goes_round_its_ring_for_ever) {
  constexpr std::uint64_t outstanding = 3;
  queued_load load(outstanding, window_limits::unlimited);
  load.fill(0);
  for (std::uint64_t now = 1; now <= 1000; ++now) {
    ASSERT_FALSE(load.over());
    EXPECT_EQ(load.due(), now <= outstanding ? 0 : now - outstanding);
    load.take(now);
    load.issue(1, now);
  }
  EXPECT_EQ(load.age(1000), 0U + 1 + 2);
}

/// Answers one request after another, 1 ms each; takes so many at a time as it is given slots.
class slow_driver {
 public:
  static constexpr std::uint32_t max_window = 2;
  slow_driver(const data_set& data, std::uint64_t& time) : data_(data), time_(time) {}
  slow_driver(const slow_driver&) = delete;
  slow_driver& operator=(const slow_driver&) = delete;

  submitted submit_get(slot s, const key& k) noexcept {
    held_.push_back({s, k});
    most_ = std::max(most_, held_.size());
    return submitted::queued;
  }
  submitted submit_set(slot, const key&, std::string_view) noexcept { return submitted::busy; }
  template <class OnDone>
  unsigned poll(time_point, OnDone&& on_done) {
    time_ += ms;
    std::string value(data_.largest_value(), ' ');
    data_.fill_value(held_.front().what.id(), value.data());
    on_done(held_.front().which, op_status::ok, value);
    held_.pop_front();
    return 1;
  }
  void give_up(std::uint32_t) noexcept {}
  void interrupt() noexcept {}
  std::string last_error() const { return {}; }
  std::size_t most_held() const { return most_; }

 private:
  struct request {
    slot which;
    key what;
  };
  const data_set& data_;
  std::uint64_t& time_;
  std::deque<request> held_;
  std::size_t most_ = 0;
};

TEST(queued_load, counts_the_time_in_the_queue_as_latency_and_not_as_service) {
  constexpr std::uint32_t window = slow_driver::max_window;
  constexpr std::size_t outstanding = 5;
  constexpr std::uint64_t requests = 12;
  const data_set data(100, 32, 1);
  std::uint64_t time = 1000 * ms;
  slow_driver driver(data, time);
  key_ring keys(data, key_order::uniform, 1, 0);
  get_workload workload(workload_settings{.data = data});
  std::atomic<std::uint64_t> progress{0};
  lost_connections lost(1, window, 0, 0);
  in_flight_loop<slow_driver, get_workload, queued_load, virtual_clock> loop(
      driver, workload, virtual_clock(time), keys.begin(), progress, lost, window);
  const std::atomic<bool> stop{false};
  error_budget budget({});
  tally counts;
  latencies times;
  queued_load load(outstanding, requests);
  load.fill(time);
  EXPECT_EQ(loop.run({stop, budget, requests, 60'000 * ms, 250 * ms}, counts, times, load),
            loop_end::finished);

  EXPECT_EQ(counts.operations(), requests);
  EXPECT_TRUE(counts.balanced());
  EXPECT_EQ(driver.most_held(), window);
  // The first five are done after 1 to 5 ms; each of the others is issued when five are before it.
  EXPECT_EQ(times.ok.sum(), (1U + 2 + 3 + 4 + 5 + 7 * 5) * ms);
  EXPECT_EQ(times.ok.max(), 5 * ms);
  // Two at a time: but for the first, each waits in the driver for one other.
  EXPECT_EQ(times.service.sum(), (1U + 11 * 2) * ms);
  EXPECT_EQ(times.service.max(), 2 * ms);
}

}  // namespace
}  // namespace dbdyno
