#include "data-loaders/pipelined.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace dbdyno {
namespace {

/// Completes `batch` requests a poll; answers an id's get with its decimal text, and id `refused_id` with
/// refused.
class scripted_driver {
 public:
  static constexpr std::uint32_t max_window = pipelined_window;

  explicit scripted_driver(unsigned batch, std::uint32_t refused_id = 0)
      : batch_(batch), refused_id_(refused_id) {}
  scripted_driver(const scripted_driver&) = delete;
  scripted_driver& operator=(const scripted_driver&) = delete;

  submitted submit_get(slot s, const key& k) noexcept {
    if (busy_every_ != 0 && ++submits_ % busy_every_ == 0) return submitted::busy;
    slots_were_free_ = slots_were_free_ && slots_.insert(s).second;
    queue_.push_back({s, k.id()});
    most_in_flight_ = std::max(most_in_flight_, queue_.size());
    return submitted::queued;
  }
  submitted submit_set(slot s, const key& k, std::string_view) noexcept { return submit_get(s, k); }

  template <class OnDone>
  unsigned poll(time_point, OnDone&& on_done) {
    unsigned done = 0;
    for (; done < batch_ && !queue_.empty(); ++done) {
      const request r = queue_.front();
      queue_.pop_front();
      slots_.erase(r.which);
      on_done(r.which, r.id == refused_id_ ? op_status::refused : op_status::ok, std::to_string(r.id));
    }
    return done;
  }
  void give_up(std::uint32_t) noexcept {}
  void interrupt() noexcept {}
  std::string last_error() const { return {}; }

  void be_busy_every(unsigned submits) { busy_every_ = submits; }
  std::size_t most_in_flight() const { return most_in_flight_; }
  std::size_t in_flight() const { return queue_.size(); }
  bool slots_were_free() const { return slots_were_free_; }

 private:
  struct request {
    slot which;
    std::uint32_t id;
  };
  unsigned batch_;
  std::uint32_t refused_id_;
  unsigned busy_every_ = 0;
  unsigned submits_ = 0;
  std::deque<request> queue_;
  std::set<slot> slots_;
  std::size_t most_in_flight_ = 0;
  bool slots_were_free_ = true;
};

const auto get = [](scripted_driver& driver, slot s, std::uint32_t id) {
  return driver.submit_get(s, key(id, 0));
};
const auto ignore_progress = [](std::uint64_t) {};

void expect_every_id_once_and_in_order(scripted_driver& driver, std::uint32_t count) {
  std::uint32_t expected = 0;
  bool in_order = true;
  const auto refused = run_pipelined(
      driver, count, get,
      [&](std::uint32_t id, op_status status, std::string_view value) {
        in_order = in_order && id == ++expected && value == std::to_string(id);
        return status == op_status::ok;
      },
      ignore_progress);
  EXPECT_EQ(refused, std::nullopt);
  EXPECT_TRUE(in_order);
  EXPECT_EQ(expected, count);
  EXPECT_EQ(driver.in_flight(), 0U);
  EXPECT_TRUE(driver.slots_were_free());
  EXPECT_LE(driver.most_in_flight(), pipelined_window);
}

TEST(run_pipelined, answers_every_id_once_and_in_order) {
  for (const std::uint32_t count :
       {1U, pipelined_window - 1, pipelined_window, pipelined_window + 1, 5 * pipelined_window}) {
    for (const unsigned batch : {1U, 7U, pipelined_window}) {
      scripted_driver driver(batch);
      expect_every_id_once_and_in_order(driver, count);
    }
  }
}

TEST(run_pipelined, sends_again_what_a_busy_driver_did_not_take) {
  scripted_driver driver(5);
  driver.be_busy_every(3);
  expect_every_id_once_and_in_order(driver, 40'000);
}

TEST(run_pipelined, keeps_the_window_full) {
  scripted_driver driver(1);
  expect_every_id_once_and_in_order(driver, 40'000);
  EXPECT_EQ(driver.most_in_flight(), pipelined_window);
}

TEST(run_pipelined, ends_at_the_first_reply_that_is_refused) {
  scripted_driver driver(10, 2000);
  std::uint32_t latest = 0;
  const auto refused = run_pipelined(
      driver, 40'000, get,
      [&](std::uint32_t id, op_status status, std::string_view) {
        latest = id;
        return status == op_status::ok;
      },
      ignore_progress);
  EXPECT_EQ(refused, op_status::refused);
  EXPECT_EQ(latest, 2000U);
}

TEST(run_pipelined, reports_progress_up_to_the_last_id_and_lets_it_throw) {
  std::vector<std::uint64_t> reports;
  const auto accept = [](std::uint32_t, op_status, std::string_view) { return true; };
  scripted_driver driver(100);
  run_pipelined(driver, 40'000, get, accept, [&](std::uint64_t done) { reports.push_back(done); });
  ASSERT_FALSE(reports.empty());
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
  EXPECT_EQ(reports.back(), 40'000U);
  EXPECT_GE(reports.size(), 40'000U / pipelined_window);

  scripted_driver interrupted(100);
  EXPECT_THROW(run_pipelined(interrupted, 40'000, get, accept,
                             [](std::uint64_t) { throw std::runtime_error("stop"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace dbdyno
