#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "bench/key_ring.hpp"
#include "bench/latencies.hpp"
#include "bench/load.hpp"
#include "bench/lost_connections.hpp"
#include "bench/tally.hpp"
#include "bench/watchdog.hpp"
#include "bench/window.hpp"
#include "drivers/driver.hpp"

namespace dbdyno {

/// Several requests in flight: a slot takes its next request when its last one completed and was checked,
/// where there is a schedule not before the next one is due.
///
/// The clock is read once after every poll: that reading ends what the poll completed and starts what is
/// issued next, so in a closed loop every slot is in flight all the time. All memory is taken at
/// construction.
template <in_flight_driver Driver, class Workload, class Load = closed_load, class Clock = tick_clock>
class in_flight_loop {
 public:
  using ticks = typename tick_clock::ticks;

  /// slots: connections x window. progress: published once a poll for the watchdog.
  in_flight_loop(Driver& driver, Workload& workload, const Clock& clock, key_ring::cursor keys,
                 std::atomic<std::uint64_t>& progress, lost_connections& lost, std::size_t slots)
      : driver_(driver),
        workload_(workload),
        clock_(clock),
        keys_(keys),
        progress_(progress),
        lost_(lost),
        tags_(slots),
        starts_(slots),
        dues_(Load::queues ? slots : 0),
        free_(slots),
        free_count_(slots),
        idle_(slots),
        runs_(slots + 1) {
    std::iota(free_.begin(), free_.end(), slot{0});
    exceptions_.reserve(slots);
  }

  /// Runs until the limits say stop. With limits.requests everything issued has completed by then; otherwise
  /// up to `slots` requests are left in flight, for drain().
  loop_end run(const window_limits& limits, tally& counts, latencies& times, Load& load) {
    free_count_ = static_cast<std::size_t>(lost_.take_back(free_.data() + free_count_) - free_.data());
    const std::uint64_t to_issue =
        limits.requests == window_limits::unlimited ? limits.requests : limits.requests - counts.issued();
    return advance(limits, counts, times, load, to_issue, limits.stop);
  }

  /// How long what run() left in flight has been so at `now`, all added up.
  ticks age_of_in_flight(ticks now) noexcept {
    mark_idle(free_.data(), free_.data() + free_count_);
    ticks sum = 0;
    for (slot s = 0; s < tags_.size(); ++s) {
      if (!idle_[s]) sum += now - begin_of(s);
    }
    return sum;
  }

  /// Consumes the replies to what run() left in flight; `counts` and `times` take them up as well.
  void drain(const window_limits& limits, tally& counts, latencies& times, Load& load) {
    static constexpr std::atomic<bool> never{false};
    const window_limits last{never, limits.budget, window_limits::unlimited, limits.timeout,
                             limits.look_interval};
    while (advance(last, counts, times, load, 0, never) != loop_end::finished) {
    }
  }

 private:
  /// Requests completed by one poll, one after the other, that have all their times in common.
  struct run_of_requests {
    ticks start = no_start;       ///< no_start: requests that are exceptions
    ticks due = 0;                ///< where the load queues
    const slot* begin = nullptr;  ///< in the list of free slots; ends where the next run begins
  };
  static constexpr ticks no_start = 0;

  struct exception {
    slot which;
    op_status status;
  };

  /// Takes completions while a poll runs. A struct and no lambda: where poll is not inlined, a lambda would
  /// reach every one of these through a reference of its own.
  struct completions {
    typename Workload::checker check;  ///< a copy, which nothing that a driver writes can be
    const std::uint64_t* tags;         ///< of the keys asked for, by slot
    const ticks* starts;               ///< by slot
    const ticks* dues;                 ///< by slot; where the load queues
    slot* free_end;
    run_of_requests* run;
    std::vector<exception>* exceptions;
    tally* counts;
    bool exceptional = false;  ///< whether there are exceptions

    [[gnu::always_inline]] void operator()(slot s, op_status status, std::string_view value) noexcept {
      const op_status checked = check(tags[s], status, value);
      if (checked != op_status::ok) [[unlikely]] {
        exceptional = true;
        if (status == op_status::refused) counts->refuse(value);
        run = except(run, free_end, exceptions, s, checked);
      } else if (begins_run(s)) {
        ++run;
        run->start = starts[s];
        if constexpr (Load::queues) run->due = dues[s];
        run->begin = free_end;
      }
      *free_end++ = s;
    }

    /// Static, so that the compiler may keep what is above in registers.
    [[gnu::noinline, gnu::cold]] static run_of_requests* except(run_of_requests* run, const slot* free_end,
                                                                std::vector<exception>* exceptions, slot s,
                                                                op_status status) noexcept {
      exceptions->push_back({s, status});
      *++run = {no_start, 0, free_end};
      return run;
    }

    bool begins_run(slot s) const noexcept {
      if constexpr (Load::queues) {
        if (dues[s] != run->due) return true;
      }
      return starts[s] != run->start;
    }
  };

  loop_end advance(const window_limits& limits, tally& counts, latencies& times, Load& load,
                   std::uint64_t to_issue, const std::atomic<bool>& stop) {
    // Copies: what the driver writes could be the members, for all the compiler knows.
    Driver& driver = driver_;
    Workload& workload = workload_;
    const Clock clock = clock_;
    std::atomic<std::uint64_t>& progress = progress_;
    key_ring::cursor keys = keys_;
    slot* const free = free_.data();
    std::uint64_t* const tags = tags_.data();
    ticks* const starts = starts_.data();
    const std::size_t slots = tags_.size();
    run_of_requests* const no_run = runs_.data();
    completions done{workload.check(),   tags,   starts,       dues_.data(),
                     free + free_count_, no_run, &exceptions_, &counts};
    const std::uint64_t to_issue_before = to_issue;
    const std::uint64_t completed_before = progress.load(std::memory_order_relaxed) & ~watchdog::idle;
    std::uint64_t completed = completed_before;
    std::uint64_t fruitless = 0;
    loop_end end = loop_end::finished;
    ticks now = clock.now();
    progress.store(completed_before, std::memory_order_relaxed);
    ticks look = now;
    bool had_no_turn = true;
    time_point wait_until{};

    while (true) {
      if (now >= look) [[unlikely]] {
        // Attempts to reopen a connection may take as long as a timeout each: after one, the other
        // connections have a turn before the next.
        const bool due = lost_.due(now) && to_issue != 0;
        if (due && !had_no_turn) {
          end = loop_end::disconnected;
          break;
        }
        had_no_turn = false;
        give_up_overdue(free, done.free_end, now, limits.timeout);
        look = now + limits.look_interval;
        if (!due && to_issue != 0) look = lost_.next_due(look);
        // A pipeline cannot give a request up while it waits for it: the watchdog breaks that up.
        wait_until = reopens_connections<Driver> ? clock.steady_time(look, now) : time_point::max();
      }
      if (stop.load(std::memory_order_relaxed)) break;
      // Slots are reissued in the order of their completion; what a busy driver does not take stays free.
      const slot* const free_end = done.free_end;
      const slot* const last =
          to_issue < static_cast<std::uint64_t>(free_end - free) ? free + to_issue : free_end;
      const slot* at = free;
      for (; at != last; ++at) {
        if constexpr (Load::queues) {
          if (load.over() || load.due() > now) break;
        }
        const slot s = *at;
        const key& k = keys.next();
        tags[s] = workload.tag_of(k);
        starts[s] = now;
        if (workload.submit(driver, s, k) == submitted::busy) [[unlikely]]
          break;
        if constexpr (Load::queues) {
          dues_[s] = load.due();
          load.take(now);
        }
      }
      const auto taken = static_cast<std::size_t>(at - free);
      to_issue -= taken;
      done.free_end = at == free_end ? free : std::copy(at, free_end, free);
      if constexpr (Load::scheduled) {
        // The next request to be issued ends the wait as well.
        const bool waits = done.free_end != free && !load.over();
        wait_until = clock.steady_time(waits ? std::min(look, load.due()) : look, now);
      }
      if (taken == 0 && static_cast<std::size_t>(done.free_end - free) + lost_.slots_held() == slots)
          [[unlikely]] {
        // Nothing is in flight, so poll would not wait.
        bool over = to_issue == 0;
        ticks until = look;
        if constexpr (Load::queues) over = over || load.over();
        if constexpr (Load::scheduled) {
          if (done.free_end != free && !load.over()) until = std::min(until, load.due());
        }
        if (over) break;
        progress.store(completed | watchdog::idle, std::memory_order_relaxed);
        clock.sleep_until(until);
        now = clock.now();
        progress.store(completed, std::memory_order_relaxed);
        continue;
      }
      const unsigned polled = driver.poll(wait_until, done);
      now = clock.now();
      progress.store(completed += polled, std::memory_order_relaxed);
      record(no_run, done.run, done.free_end, now, clock, times);
      if constexpr (Load::queues && !Load::scheduled) load.issue(polled, now);
      done.run = no_run;
      if (done.exceptional) [[unlikely]] {
        done.exceptional = false;
        fruitless += exceptions_.size();
        const bool goes_on = settle_exceptions(limits, now, counts, times);
        if (lost_.any()) {
          done.free_end = lost_.hold(free, done.free_end);
          look = now;
        }
        if (!goes_on) {
          end = loop_end::failed;
          break;
        }
      }
    }
    counts.issue(to_issue_before - to_issue);
    counts.count(op_status::ok, completed - completed_before - fruitless);
    free_count_ = static_cast<std::size_t>(done.free_end - free);
    keys_ = keys;
    return end;
  }

  /// Records the runs after `no_run`, the last of which ends at `end`.
  static void record(const run_of_requests* no_run, const run_of_requests* last, const slot* end, ticks now,
                     const Clock& clock, latencies& times) noexcept {
    for (const run_of_requests* run = last; run != no_run; end = run->begin, --run) {
      if (run->start == no_start) [[unlikely]]
        continue;
      const auto requests = static_cast<std::uint64_t>(end - run->begin);
      const std::uint64_t service = clock.nanoseconds(now - run->start);
      if constexpr (Load::queues) {
        times.service.record(service, requests);
        times.ok.record(clock.nanoseconds(now - run->due), requests);
      } else {
        times.ok.record(service, requests);
      }
    }
  }

  /// Returns whether the error budget allows to go on.
  [[gnu::noinline, gnu::cold]] bool settle_exceptions(const window_limits& limits, ticks now, tally& counts,
                                                      latencies& times) {
    bool goes_on = true;
    for (const exception& one : exceptions_) {
      const bool is_late = now - starts_[one.which] >= limits.timeout;
      const op_status status = classify(one.status, Workload::is_write(tags_[one.which]), is_late);
      const std::uint64_t latency = clock_.nanoseconds(now - begin_of(one.which));
      counts.count(status);
      if (!is_error(status)) {
        times.missed.record(latency);
        continue;
      }
      times.failed.record(latency);
      if (!limits.budget.spend()) goes_on = false;
      if (ends_connection(status)) lost_.lose(lost_.connection_of(one.which), now);
    }
    exceptions_.clear();
    return goes_on;
  }

  /// Shuts down the connections of requests that are past their deadline; they complete through poll.
  [[gnu::noinline, gnu::cold]] void give_up_overdue(const slot* free, const slot* free_end, ticks now,
                                                    ticks timeout) noexcept {
    if (static_cast<std::size_t>(free_end - free) + lost_.slots_held() == tags_.size()) return;
    mark_idle(free, free_end);
    constexpr auto none = static_cast<std::uint32_t>(-1);
    std::uint32_t given_up = none;
    for (slot s = 0; s < tags_.size(); ++s) {
      if (idle_[s] || now - starts_[s] < timeout) continue;
      const std::uint32_t connection = lost_.connection_of(s);
      if (connection != given_up) driver_.give_up(given_up = connection);
    }
  }

  /// From when the latency of a request counts.
  ticks begin_of(slot s) const noexcept {
    if constexpr (Load::queues) return dues_[s];
    return starts_[s];
  }

  void mark_idle(const slot* free, const slot* free_end) noexcept {
    std::fill(idle_.begin(), idle_.end(), false);
    for (const slot* s = free; s != free_end; ++s) idle_[*s] = true;
    lost_.mark_held(idle_);
  }

  Driver& driver_;
  Workload& workload_;
  Clock clock_;
  key_ring::cursor keys_;
  std::atomic<std::uint64_t>& progress_;
  lost_connections& lost_;
  // Of the requests in flight, by slot; three vectors, since so they are reached without arithmetic.
  std::vector<std::uint64_t> tags_;
  std::vector<ticks> starts_;
  std::vector<ticks> dues_;
  std::vector<slot> free_;
  std::size_t free_count_;
  std::vector<char> idle_;             ///< scratch
  std::vector<run_of_requests> runs_;  ///< [0] is the end mark, with a start that no request has
  std::vector<exception> exceptions_;
};

}  // namespace dbdyno
