#pragma once

#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/driver.hpp"
#include "fixtures/data_set.hpp"

namespace dbdyno {

/// What a fake driver should do, set by a test before a row runs; the rows of a test share it.
struct fake_script {
  data_set data{100, 32, 1};
  std::atomic<std::uint64_t> gets{0};
  std::atomic<std::uint64_t> sets{0};
  std::uint64_t special_at = 0;  ///< the how-manieth get (from 1) ends in `special`, 0 for none
  std::uint64_t specials = 1;    ///< so many in a row
  op_status special = op_status::ok;
  bool special_has_wrong_tag = false;
  bool blocks_at_special = false;  ///< until interrupted
  bool fails_to_connect = false;
  std::atomic<unsigned> max_in_flight{0};
};

/// Answers as its script says. One at a time.
class fake_sync {
 public:
  static inline fake_script* script =
      nullptr;  // a driver is constructed by the harness, which knows of no script

  explicit fake_sync(const connect_options&) {
    ::sem_init(&interrupted_, 0, 0);
    if (script->fails_to_connect) throw std::runtime_error("no such fake");
  }
  ~fake_sync() { ::sem_destroy(&interrupted_); }
  fake_sync(const fake_sync&) = delete;
  fake_sync& operator=(const fake_sync&) = delete;

  op_status get(const key& k, std::string_view& value) noexcept {
    value_.resize(script->data.largest_value());
    script->data.fill_value(k.id(), value_.data());
    const std::uint64_t number = ++script->gets;
    if (script->special_at != 0 && number >= script->special_at &&
        number < script->special_at + script->specials) {
      if (script->blocks_at_special) wait_for_interrupt();
      if (script->special_has_wrong_tag) value_[0] = '!';
      if (script->special != op_status::ok) return script->special;
    }
    value = value_;
    return op_status::ok;
  }
  op_status set(const key&, std::string_view) noexcept {
    ++script->sets;
    return op_status::ok;
  }
  void interrupt() noexcept { ::sem_post(&interrupted_); }
  std::string last_error() const { return "as scripted"; }

 private:
  void wait_for_interrupt() {
    while (::sem_wait(&interrupted_) != 0 && errno == EINTR) {
    }
    // It stays so.
    ::sem_post(&interrupted_);
  }

  std::string value_;
  sem_t interrupted_{};
};

/// The same with many in flight: completes the oldest three of what it holds at every poll.
class fake_in_flight {
 public:
  static constexpr std::uint32_t max_window = 64;

  explicit fake_in_flight(const connect_options& options) : sync_(options) {}
  fake_in_flight(const fake_in_flight&) = delete;
  fake_in_flight& operator=(const fake_in_flight&) = delete;

  submitted submit_get(slot s, const key& k) noexcept {
    held_.push_back({s, k, true});
    fake_script& script = *fake_sync::script;
    script.max_in_flight = std::max<unsigned>(script.max_in_flight, static_cast<unsigned>(held_.size()));
    return submitted::queued;
  }
  submitted submit_set(slot s, const key& k, std::string_view) noexcept {
    held_.push_back({s, k, false});
    return submitted::queued;
  }
  template <class OnDone>
  unsigned poll(time_point, OnDone&& on_done) {
    unsigned done = 0;
    for (; done != 3 && !held_.empty(); ++done) {
      const request oldest = held_.front();
      held_.pop_front();
      std::string_view value;
      const op_status status = oldest.is_get ? sync_.get(oldest.what, value) : sync_.set(oldest.what, "");
      on_done(oldest.which, status, value);
    }
    return done;
  }
  void give_up(std::uint32_t) noexcept { sync_.interrupt(); }
  void interrupt() noexcept { sync_.interrupt(); }
  std::string last_error() const { return sync_.last_error(); }

 private:
  struct request {
    slot which;
    key what;
    bool is_get;
  };
  fake_sync sync_;
  std::deque<request> held_;
};

struct fake_family {
  static constexpr std::string_view storage = "fake";
  static constexpr std::string_view name = "fake";
  static constexpr bool set_creates = true;
  static std::string version() { return "0"; }

  using sync = fake_sync;
  using async = fake_in_flight;
};

}  // namespace dbdyno
