// Coordinated omission, with a known answer: a server that stands still for a second delays every request
// that was due meanwhile, though only one of them was waiting for its reply.
#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "bench/get.hpp"
#include "bench/in_flight_loop.hpp"
#include "bench/load.hpp"
#include "bench/sync_loop.hpp"
#include "bench/virtual_clock.hpp"

namespace dbdyno {
namespace {

constexpr std::uint64_t ms = 1'000'000;

/// Serves one request after another, 1 ms each, but begins none while it is frozen.
class freezing_server {
 public:
  std::uint64_t reply_time(std::uint64_t arrival) noexcept {
    std::uint64_t begin = std::max(arrival, free_at_);
    if (begin >= frozen_from && begin < frozen_until) begin = frozen_until;
    return free_at_ = begin + ms;
  }
  static constexpr std::uint64_t start = 1000 * ms;
  static constexpr std::uint64_t frozen_from = start + 4000 * ms;
  static constexpr std::uint64_t frozen_until = start + 5000 * ms;

 private:
  std::uint64_t free_at_ = 0;
};

/// What both drivers below have in common: data and time.
struct scene {
  data_set data{100, 32, 1};
  std::uint64_t time = freezing_server::start;
  freezing_server server{};
  std::string value{};

  std::string_view value_of(const key& k) {
    value.resize(data.largest_value());
    data.fill_value(k.id(), value.data());
    return value;
  }
};

class sync_client {
 public:
  explicit sync_client(scene& on) : on_(on) {}
  sync_client(const sync_client&) = delete;
  op_status get(const key& k, std::string_view& value) noexcept {
    on_.time = on_.server.reply_time(on_.time);
    value = on_.value_of(k);
    return op_status::ok;
  }
  op_status set(const key&, std::string_view) noexcept { return op_status::refused; }
  void interrupt() noexcept {}
  std::string last_error() const { return {}; }

 private:
  scene& on_;
};

class async_client {
 public:
  static constexpr std::uint32_t max_window = 1;
  explicit async_client(scene& on) : on_(on) {}
  async_client(const async_client&) = delete;
  submitted submit_get(slot s, const key& k) noexcept {
    queue_.push_back({s, k, on_.server.reply_time(on_.time)});
    return submitted::queued;
  }
  submitted submit_set(slot, const key&, std::string_view) noexcept { return submitted::busy; }
  template <class OnDone>
  unsigned poll(time_point wait_until, OnDone&& on_done) {
    if (queue_.empty()) return 0;
    const auto until = static_cast<std::uint64_t>(wait_until.time_since_epoch().count());
    if (queue_.front().reply_at > until) {
      on_.time = std::max(on_.time, until);
      return 0;
    }
    on_.time = std::max(on_.time, queue_.front().reply_at);
    on_done(queue_.front().which, op_status::ok, on_.value_of(queue_.front().what));
    queue_.pop_front();
    return 1;
  }
  void give_up(std::uint32_t) noexcept {}
  void interrupt() noexcept {}
  std::string last_error() const { return {}; }

 private:
  struct request {
    slot which;
    key what;
    std::uint64_t reply_at;
  };
  scene& on_;
  std::deque<request> queue_;
};

class coordinated_omission : public ::testing::Test {
 protected:
  /// One arrival each 2 ms for 10 s.
  open_load make_load() const {
    return {arrivals::constant,
            2.0 * ms,
            0,
            freezing_server::start,
            freezing_server::start + 10'000 * ms,
            ms / 10,
            1};
  }

  void expect_the_known_answer(const open_load& load) {
    EXPECT_EQ(counts_.operations(), 5000U);
    EXPECT_TRUE(counts_.balanced());
    EXPECT_TRUE(load.over());
    expect_bucket(times_.ok, 50, 1);
    expect_bucket(times_.ok, 90, 501);
    expect_bucket(times_.ok, 99, 951);
    // The 4,995th of 5,000, as HdrHistogram ranks them; the next is 997.
    expect_bucket(times_.ok, 99.9, 996);
    EXPECT_EQ(times_.ok.max(), 1001 * ms);
    EXPECT_EQ(times_.service.count(), 5000U);
    EXPECT_EQ(times_.service.max(), 1001 * ms);
    std::uint64_t above_500 = 0;
    for (std::size_t i = results::histogram::index_of(500 * ms) + 1; i < results::histogram::size; ++i)
      above_500 += times_.service.count_at(i);
    EXPECT_EQ(above_500, 1U);
    // Of 999 requests that were due while an earlier one was still under way. The one due at 5.999 s was in
    // time.
    EXPECT_EQ(load.late(), 999U);
  }

  static void expect_bucket(const results::histogram& times, double percent, std::uint64_t milliseconds) {
    EXPECT_EQ(results::histogram::index_of(*times.percentile(percent)),
              results::histogram::index_of(milliseconds * ms))
        << percent << " % is " << *times.percentile(percent);
  }

  scene scene_;
  key_ring keys_{scene_.data, key_order::uniform, 1, 0};
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> progress_{0};
  error_budget budget_{{}};
  window_limits limits_{stop_, budget_, window_limits::unlimited, 60'000 * ms, 250 * ms};
  lost_connections lost_{1, 1, 0, 0};
  get_workload workload_{workload_settings{.data = scene_.data}};
  tally counts_;
  latencies times_;
};

TEST_F(coordinated_omission, does_not_happen_in_sync_mode) {
  sync_client client(scene_);
  sync_loop<sync_client, get_workload, open_load, virtual_clock> loop(
      client, workload_, virtual_clock(scene_.time), keys_.begin(), progress_, lost_);
  open_load load = make_load();
  EXPECT_EQ(loop.run(limits_, counts_, times_, load), loop_end::finished);
  expect_the_known_answer(load);
}

TEST_F(coordinated_omission, does_not_happen_in_async_mode) {
  async_client client(scene_);
  in_flight_loop<async_client, get_workload, open_load, virtual_clock> loop(
      client, workload_, virtual_clock(scene_.time), keys_.begin(), progress_, lost_, 1);
  open_load load = make_load();
  EXPECT_EQ(loop.run(limits_, counts_, times_, load), loop_end::finished);
  expect_the_known_answer(load);
}

TEST_F(coordinated_omission, hides_the_freeze_in_a_closed_loop) {
  sync_client client(scene_);
  sync_loop<sync_client, get_workload, closed_load, virtual_clock> loop(
      client, workload_, virtual_clock(scene_.time), keys_.begin(), progress_, lost_);
  window_limits limits{stop_, budget_, 9000, 60'000 * ms, 250 * ms};
  closed_load load;
  EXPECT_EQ(loop.run(limits, counts_, times_, load), loop_end::finished);
  expect_bucket(times_.ok, 99.9, 1);
  EXPECT_EQ(times_.ok.max(), 1001 * ms);
}

TEST(open_load, is_due_at_exact_distances_however_long_it_runs) {
  open_load load(arrivals::constant, 1.0 / 3 * 1e6, 0.5, 7, open_load::endless, 0, 1);
  for (int i = 0; i < 3'000'000; ++i) load.take(load.due());
  EXPECT_EQ(load.due(), 7 + static_cast<std::uint64_t>(3'000'000.5 / 3 * 1e6));
}

TEST(open_load, is_poisson_where_asked_for) {
  constexpr int requests = 200'000;
  open_load load(arrivals::poisson, 1000, 0, 0, open_load::endless, 0, 42);
  double squares = 0;
  std::uint64_t last = 0;
  for (int i = 0; i < requests; ++i) {
    const auto gap = static_cast<double>(load.due() - last);
    squares += gap * gap;
    last = load.due();
    load.take(last);
  }
  // Mean 1/r and second moment 2/r^2 of the exponential distribution, within 5 standard errors.
  EXPECT_NEAR(static_cast<double>(last) / requests, 1000, 12);
  EXPECT_NEAR(squares / requests, 2e6, 5e4);
}

TEST(open_load, counts_what_was_due_but_never_issued) {
  open_load load(arrivals::constant, 10, 0, 100, 200, 3, 1);
  load.take(103);
  load.take(114);
  EXPECT_EQ(load.late(), 1U);
  EXPECT_EQ(load.count_rest(), 8U);
  EXPECT_TRUE(load.over());
}

}  // namespace
}  // namespace dbdyno
