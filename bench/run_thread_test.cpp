#include "bench/run_thread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "bench/fake_driver.hpp"
#include "bench/get.hpp"
#include "bench/run_row.hpp"
#include "bench/set.hpp"
#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

class run_thread_test : public ::testing::Test {
 protected:
  run_thread_test() { fake_sync::script = &script_; }

  row_plan plan(mode how) const {
    row_plan out;
    out.what.mode = how;
    out.data = script_.data;
    return out;
  }

  template <class Driver, class Workload = get_workload>
  row_result run(const row_plan& plan, milliseconds timeout = milliseconds(60'000)) {
    watchdog dog(timeout);
    row_result result = run_row(&run_thread<fake_family, Driver, Workload>, plan, dog);
    EXPECT_TRUE(result.counts.balanced());
    EXPECT_EQ(result.times.ok.count(), result.counts.operations());
    EXPECT_EQ(result.times.missed.count(), result.counts.misses());
    return result;
  }

  fake_script script_;
};

TEST_F(run_thread_test, issues_exactly_the_requests_asked_for) {
  row_plan what = plan(mode::sync);
  what.requests = 1234;
  const row_result result = run<fake_sync>(what);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.counts.operations(), 1234U);
  EXPECT_EQ(script_.gets, 1234U);
}

TEST_F(run_thread_test, deals_requests_over_threads_without_losing_any) {
  row_plan what = plan(mode::sync);
  what.what.threads = 3;
  what.requests = 1000;
  EXPECT_EQ(run<fake_sync>(what).counts.operations(), 1000U);
  EXPECT_EQ(script_.gets, 1000U);
}

TEST_F(run_thread_test, issues_exactly_the_requests_asked_for_with_many_in_flight) {
  row_plan what = plan(mode::async);
  what.what.connections = 5;
  what.what.depth = 7;
  what.requests = 1001;
  const row_result result = run<fake_in_flight>(what);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.counts.operations(), 1001U);
  EXPECT_EQ(script_.gets, 1001U);
  EXPECT_EQ(script_.max_in_flight, 35U);
}

TEST_F(run_thread_test, keeps_no_more_in_flight_than_the_driver_takes) {
  row_plan what = plan(mode::pipeline);
  what.what.depth = 1000;
  what.requests = 5000;
  EXPECT_EQ(run<fake_in_flight>(what).counts.operations(), 5000U);
  EXPECT_EQ(script_.max_in_flight, fake_in_flight::max_window);
}

TEST_F(run_thread_test, issues_fewer_requests_than_slots_when_asked_for_fewer) {
  row_plan what = plan(mode::async);
  what.what.connections = 10;
  what.what.depth = 10;
  what.requests = 3;
  EXPECT_EQ(run<fake_in_flight>(what).counts.operations(), 3U);
  EXPECT_EQ(script_.gets, 3U);
}

TEST_F(run_thread_test, runs_for_the_duration_and_keeps_the_warmup_out_of_the_counts) {
  row_plan what = plan(mode::sync);
  what.warmup = milliseconds(50);
  what.duration = milliseconds(50);
  const row_result result = run<fake_sync>(what);
  EXPECT_EQ(result.error, "");
  EXPECT_GE(result.window, milliseconds(45));
  EXPECT_GT(result.counts.operations(), 0U);
  EXPECT_LT(result.counts.operations(), script_.gets);
}

TEST_F(run_thread_test, does_not_count_what_is_in_flight_at_the_end_of_the_window) {
  row_plan what = plan(mode::async);
  what.what.connections = 8;
  what.what.depth = 8;
  what.duration = milliseconds(30);
  const row_result result = run<fake_in_flight>(what);
  EXPECT_EQ(result.error, "");
  // The drain fetches what was left: never more than there are slots.
  EXPECT_LE(script_.gets - result.operations, 64U);
  EXPECT_GT(script_.gets.load(), result.operations);
}

TEST_F(run_thread_test, counts_a_miss_as_no_operation_and_goes_on) {
  script_.special_at = 10;
  script_.special = op_status::not_found;
  row_plan what = plan(mode::sync);
  what.requests = 100;
  const row_result result = run<fake_sync>(what);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.counts.operations(), 99U);
  EXPECT_EQ(result.counts.misses(), 1U);
  EXPECT_EQ(result.counts.errors(), 0U);
}

TEST_F(run_thread_test, fails_the_row_at_a_wrong_tag_and_does_not_count_it) {
  script_.special_at = 10;
  script_.special_has_wrong_tag = true;
  for (const mode how : {mode::sync, mode::async}) {
    script_.gets = 0;
    row_plan what = plan(how);
    what.requests = 100;
    const row_result result = how == mode::sync ? run<fake_sync>(what) : run<fake_in_flight>(what);
    EXPECT_THAT(result.error, HasSubstr("1 wrong_reply"));
    EXPECT_EQ(result.counts.of(op_status::wrong_reply), 1U);
    EXPECT_EQ(result.counts.operations(), 9U);
  }
}

TEST_F(run_thread_test, fails_the_row_at_an_error_with_its_class_and_the_drivers_text) {
  script_.special_at = 5;
  script_.special = op_status::refused;
  row_plan what = plan(mode::sync);
  what.requests = 100;
  const row_result result = run<fake_sync>(what);
  EXPECT_EQ(result.error, "1 refused: as scripted");
  EXPECT_EQ(result.counts.operations(), 4U);
}

// The classes that no scripted server can bring about: the data set has no value that a storage does not
// take, and how much of a request the kernel has taken is not the server's to say.
TEST_F(run_thread_test, counts_a_thousand_of_what_is_not_sent_as_a_thousand) {
  for (const op_status status : {op_status::too_large, op_status::unstorable, op_status::unsent}) {
    for (const mode how : {mode::sync, mode::async}) {
      if (how == mode::async && ends_connection(status)) continue;
      SCOPED_TRACE(to_string(status));
      script_.gets = 0;
      script_.special_at = 501;
      script_.specials = 1000;
      script_.special = status;
      row_plan what = plan(how);
      what.requests = 2000;
      what.max_errors = {.requests = 1000};
      what.first_reconnect_delay = milliseconds(0);
      const row_result result = how == mode::sync ? run<fake_sync>(what) : run<fake_in_flight>(what);
      EXPECT_EQ(result.error, "");
      EXPECT_EQ(result.counts.issued(), 2000U);
      EXPECT_EQ(result.counts.of(status), 1000U);
      EXPECT_EQ(result.counts.operations(), 1000U);
      EXPECT_EQ(result.reconnects, ends_connection(status) ? 1000U : 0U);
    }
  }
}

TEST_F(run_thread_test, fails_the_row_at_an_error_while_warming_up) {
  script_.special_at = 1;
  script_.special = op_status::refused;
  row_plan what = plan(mode::sync);
  what.warmup = milliseconds(10);
  what.duration = milliseconds(10);
  EXPECT_THAT(run<fake_sync>(what).error, HasSubstr("while warming up: 1 refused"));
}

TEST_F(run_thread_test, fails_the_row_of_all_threads_when_one_cannot_connect) {
  script_.fails_to_connect = true;
  row_plan what = plan(mode::sync);
  what.what.threads = 2;
  what.requests = 100;
  EXPECT_EQ(run<fake_sync>(what).error, "no such fake");
  EXPECT_EQ(script_.gets, 0U);
}

TEST_F(run_thread_test, says_so_when_every_key_is_missing) {
  script_.special_at = 1;
  script_.special = op_status::not_found;
  row_plan what = plan(mode::sync);
  what.requests = 1;
  EXPECT_THAT(run<fake_sync>(what).error, HasSubstr("is the target loaded?"));
}

TEST_F(run_thread_test, breaks_up_a_blocked_request_after_the_timeout_and_calls_it_one) {
  script_.special_at = 3;
  script_.special = op_status::disconnected;
  script_.blocks_at_special = true;
  row_plan what = plan(mode::sync);
  what.requests = 100;
  const row_result result = run<fake_sync>(what, milliseconds(50));
  EXPECT_EQ(result.error, "1 timeout: no reply within 0.05 s");
  EXPECT_EQ(result.counts.of(op_status::timeout), 1U);
  EXPECT_EQ(result.counts.of(op_status::disconnected), 0U);
  EXPECT_EQ(result.counts.operations(), 2U);
}

TEST_F(run_thread_test, judges_a_share_of_errors_over_all_threads) {
  script_.special_at = 10;
  script_.special = op_status::refused;
  row_plan what = plan(mode::sync);
  what.what.threads = 4;
  what.requests = 100;
  // One of a single thread's 25 are 4 %.
  what.max_errors = {.percent = 1};
  EXPECT_EQ(run<fake_sync>(what).error, "");
  script_.gets = 0;
  what.max_errors = {.percent = 0.9};
  EXPECT_THAT(run<fake_sync>(what).error, HasSubstr("1 refused: as scripted"));
}

TEST_F(run_thread_test, ends_an_open_loops_window_with_its_schedule_and_not_with_the_last_reply) {
  for (const mode how : {mode::sync, mode::async}) {
    for (const bool counted : {false, true}) {
      row_plan what = plan(how);
      what.rate = planned_rate{.per_second = 100};
      what.duration = milliseconds(50);
      if (counted) what.requests = 5;
      const row_result result = how == mode::sync ? run<fake_sync>(what) : run<fake_in_flight>(what);
      EXPECT_EQ(result.error, "");
      // Woken too late, it never sends the last ones.
      EXPECT_EQ(result.counts.issued() + result.keeping.never_sent, 5U);
      EXPECT_GE(result.counts.issued(), 1U);
      // The last one is due, and answered, at 40 ms; the clocks' calibration allows for a little.
      EXPECT_GE(result.window, std::chrono::microseconds(49'500));
      EXPECT_EQ(result.keeping.lag.has_value(), counted);
    }
  }
}

TEST_F(run_thread_test, knows_how_far_behind_its_schedule_the_last_request_was) {
  row_plan what = plan(mode::sync);
  what.rate = planned_rate{.per_second = 1e9};
  what.requests = 10'000;
  const row_result result = run<fake_sync>(what);
  ASSERT_TRUE(result.keeping.lag);
  // 10,000 requests were due within 10 us.
  EXPECT_GT(*result.keeping.lag, std::chrono::microseconds(10));
  EXPECT_LE(*result.keeping.lag, result.window);
}

TEST_F(run_thread_test, has_a_request_in_flight_for_every_slot_all_the_time_in_a_closed_loop) {
  row_plan what = plan(mode::async);
  what.what.connections = 8;
  what.what.depth = 8;
  what.duration = milliseconds(100);
  const row_result result = run<fake_in_flight>(what);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.in_flight.room, result.window * 64);
  EXPECT_NEAR(static_cast<double>(result.in_flight.time.count()),
              static_cast<double>(result.in_flight.room.count()),
              0.1 * static_cast<double>(result.in_flight.room.count()));
}

/// Three connections, two of which are lost by their first request and never come back, while the third's
/// server is silent.
class mostly_lost {
 public:
  static constexpr std::uint32_t max_window = 1;
  static constexpr milliseconds reopening_takes{20};
  static inline unsigned reopened_before_giving_up = 0;
  static inline bool gave_up = false;

  explicit mostly_lost(const connect_options&) {}
  mostly_lost(const mostly_lost&) = delete;
  mostly_lost& operator=(const mostly_lost&) = delete;

  submitted submit_get(slot s, const key&) noexcept {
    waits_[s] = true;
    return submitted::queued;
  }
  submitted submit_set(slot s, const key& k, std::string_view) noexcept { return submit_get(s, k); }
  template <class OnDone>
  unsigned poll(time_point until, OnDone&& on_done) {
    unsigned done = 0;
    for (slot s = 0; s < 3; ++s) {
      if (!waits_[s] || (s == 2 && !gave_up)) continue;
      waits_[s] = false;
      ++done;
      on_done(s, op_status::disconnected, std::string_view{});
    }
    if (done == 0) std::this_thread::sleep_until(until);
    return done;
  }
  void reopen(std::uint32_t, milliseconds) {
    if (!gave_up) ++reopened_before_giving_up;
    std::this_thread::sleep_for(reopening_takes);
    throw setup_error("fake", "connect to", "nobody", "gone");
  }
  void give_up(std::uint32_t connection) noexcept { gave_up = connection == 2; }
  void interrupt() noexcept {}
  std::string last_error() const { return "gone"; }

 private:
  bool waits_[3] = {};
};

TEST_F(run_thread_test, gives_late_requests_up_while_other_connections_are_reopened_in_vain) {
  row_plan what = plan(mode::async);
  what.what.connections = 3;
  what.duration = milliseconds(400);
  what.max_errors = {.percent = 100};
  for (const milliseconds delay : {milliseconds(0), milliseconds(1)}) {
    SCOPED_TRACE(delay.count());
    mostly_lost::reopened_before_giving_up = 0;
    mostly_lost::gave_up = false;
    what.first_reconnect_delay = delay;
    const row_result result = run<mostly_lost>(what, mostly_lost::reopening_takes);
    EXPECT_TRUE(mostly_lost::gave_up);
    EXPECT_EQ(result.counts.of(op_status::timeout), 1U);
    // Two connections are tried; after that the third's request is past its deadline.
    EXPECT_LE(mostly_lost::reopened_before_giving_up, 2U);
  }
}

TEST_F(run_thread_test, sets_as_many_values_as_it_counts) {
  row_plan what = plan(mode::sync);
  what.requests = 77;
  EXPECT_EQ((run<fake_sync, set_workload>(what).counts.operations()), 77U);
  EXPECT_EQ(script_.sets, 77U);
  what = plan(mode::async);
  what.what.depth = 10;
  what.requests = 77;
  EXPECT_EQ((run<fake_in_flight, set_workload>(what).counts.operations()), 77U);
  EXPECT_EQ(script_.sets, 154U);
}

}  // namespace
}  // namespace dbdyno
