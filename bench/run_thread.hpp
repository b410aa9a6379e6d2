#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/in_flight_loop.hpp"
#include "bench/key_ring.hpp"
#include "bench/row_session.hpp"
#include "bench/sync_loop.hpp"
#include "drivers/driver.hpp"
#include "drivers/errors.hpp"

namespace dbdyno {
namespace detail {

inline connect_options thread_options(const row_session& row, unsigned thread, bool writes,
                                      std::uint32_t max_window) {
  const row_plan& plan = row.plan();
  connect_options options;
  options.where = plan.where;
  options.connections = plan.what.mode == mode::async
                            ? static_cast<std::uint32_t>(row.share(plan.what.connections, thread))
                            : 1;
  options.window = std::min(plan.what.depth, max_window);
  options.writes = writes;
  options.value_size = plan.data.value_size();
  options.connect_timeout = plan.connect_timeout;
  options.exchange = plan.exchange;
  return options;
}

template <class Driver>
consteval std::uint32_t max_window_of() {
  if constexpr (in_flight_driver<Driver>) {
    return Driver::max_window;
  } else {
    return 1;
  }
}

/// Sets one value and waits until that is done, whichever mode the driver has.
template <class Driver>
op_status set_and_wait(Driver& driver, const key& k, std::string_view value) {
  if constexpr (sync_driver<Driver>) {
    return driver.set(k, value);
  } else {
    op_status out = op_status::unsent;
    driver.submit_set(0, k, value);
    driver.poll(time_point::max(), [&](slot, op_status status, std::string_view) { out = status; });
    return out;
  }
}

/// Errors: std::runtime_error when the driver does not take a value, or a signal came.
template <class Driver>
void fill_private_storage(Driver& driver, const data_set& data, const watchdog& dog) {
  std::string value(data.value_size(), '\0');
  for (std::uint32_t id = 1; id <= data.keys(); ++id) {
    data.fill_value(id, value.data());
    const op_status status = set_and_wait(driver, data.make_key(id), value);
    if (status != op_status::ok)
      throw std::runtime_error(fmt::format("cannot be filled: {}", to_string(status)));
    if (dog.signal() != 0) throw std::runtime_error("interrupted");
  }
}

template <class Driver, class Workload, class Load>
struct loop_for {
  using type = sync_loop<Driver, Workload, Load>;
};
template <in_flight_driver Driver, class Workload, class Load>
struct loop_for<Driver, Workload, Load> {
  using type = in_flight_loop<Driver, Workload, Load>;
};

}  // namespace detail

/// One thread of a row, from connecting to disconnecting. What goes wrong beyond the budget fails the row.
template <driver_family Family, class Driver, class Workload, class Load>
class thread_run {
 public:
  thread_run(row_session& row, unsigned thread)
      : row_(row),
        plan_(row.plan()),
        thread_(thread),
        options_(detail::thread_options(row, thread, Workload::writes, detail::max_window_of<Driver>())),
        lost_(options_.connections, options_.window, plan_.clock.ticks_in(plan_.first_reconnect_delay),
              plan_.clock.ticks_in(std::chrono::seconds(1))) {}

  void operator()() {
    try {
      connect(options_);
      prepare();
    } catch (const std::exception& error) {
      row_.fail(error.what());
    }
    if (!row_.start_warmup()) return;
    if (plan_.counts_allocations || (!plan_.requests && plan_.warmup.count() > 0)) warm_up();
    const std::optional<traffic> before = read_bytes();
    // Before the window, so that its slices know all threads from the first one on.
    if (!plan_.counts_allocations) sampled_.emplace(row_.dog(), progress_);
    if (!row_.start_window()) return;
    measure(before);
    row_.end_window();
  }

 private:
  void connect(const connect_options& options) {
    if constexpr (requires { typename Family::shared; }) {
      driver_.emplace(options, row_.shared<typename Family::shared>(options));
    } else {
      driver_.emplace(options);
    }
  }

  void prepare() {
    if constexpr (is_private_storage<Family>())
      detail::fill_private_storage(*driver_, plan_.data, row_.dog());
    keys_.emplace(plan_.data, plan_.seed, thread_);
    // Drawn, so that what this thread writes differs from what others write and earlier runs have left.
    workload_.emplace(plan_.data, std::random_device()());
    if constexpr (sync_driver<Driver>) {
      loop_.emplace(*driver_, *workload_, plan_.clock, keys_->begin(), progress_, lost_);
    } else {
      loop_.emplace(*driver_, *workload_, plan_.clock, keys_->begin(), progress_, lost_,
                    std::size_t{options_.connections} * options_.window);
    }
  }

  window_limits limits() {
    const std::chrono::nanoseconds timeout = row_.dog().timeout();
    return {row_.dog().stop(), row_.budget(),
            plan_.requests ? row_.share(*plan_.requests, thread_) : window_limits::unlimited,
            plan_.clock.ticks_in(timeout),
            plan_.clock.ticks_in(std::min<std::chrono::nanoseconds>(timeout / 4, longest_look)) + 1};
  }

  Load make_load(std::chrono::nanoseconds length) const {
    if constexpr (Load::open) {
      const double threads = plan_.what.threads;
      const double interval = plan_.clock.ticks_per_second() * threads / plan_.rate->per_second;
      const tick_clock::ticks begin = row_.phase_begin();
      return open_load(plan_.rate->kind, interval, thread_ / threads, begin,
                       plan_.requests ? open_load::endless : begin + plan_.clock.ticks_in(length),
                       plan_.clock.ticks_in(std::chrono::microseconds(100)),
                       plan_.seed + thread_ + plan_.repetition * plan_.what.threads);
    } else {
      return {};
    }
  }

  void warm_up() {
    tally counts;
    Load load = make_load(plan_.warmup);
    const window_limits until = limits();
    run(until, counts, times_, load);
    settle(until, counts, times_, load);
    row_.close_phase(counts, latest_error(counts));
    // The pages stay touched: the window must not fault them in.
    times_.clear();
    lost_.reset_counts(plan_.clock.now());
  }

  std::optional<traffic> read_bytes() const {
    if constexpr (has_sockets<Driver>) {
      if (driver_) return read_traffic(driver_->sockets());
    }
    return std::nullopt;
  }

  void measure(const std::optional<traffic>& bytes_before) {
    thread_result result;
    Load load = make_load(plan_.duration);
    const window_limits until = limits();
    const thread_usage usage_before = read_thread_usage();
    // A schedule begins for all threads at once, however late one of them wakes up.
    const tick_clock::ticks start = plan_.clock.now();
    result.begin = plan_.clock.steady_time(Load::open ? row_.phase_begin() : start, start);
    // The drain belongs to what is counted: its requests do.
    std::optional<allocation_counter> heap;
    if (plan_.counts_allocations) heap.emplace();
    run(until, result.counts, times_, load);
    if constexpr (Load::open) await_end(load, until);
    const tick_clock::ticks now = plan_.clock.now();
    result.end = std::chrono::steady_clock::now();
    sampled_.reset();
    result.cost = cost_between(usage_before, read_thread_usage());
    result.operations = result.counts.operations();
    result.reconnects = lost_.restored();
    result.downtime = std::chrono::nanoseconds(plan_.clock.nanoseconds(lost_.downtime(now)));
    result.in_flight = residence_until(now, result);
    settle(until, result.counts, times_, load);
    if (heap) result.heap = heap->stop();
    if constexpr (Load::open) note_keeping(load, result.keeping);
    // A connection that is down takes its part of the counters with it.
    if (!lost_.any()) result.bytes = traffic_between(bytes_before, read_bytes());
    row_.close_phase(result.counts, latest_error(result.counts));
    result.times = std::move(times_);
    row_.finish(thread_, std::move(result));
  }

  /// A schedule's window ends when its next request would be due, not with the reply to the last one.
  void await_end(const Load& load, const window_limits& until) const {
    const tick_clock::ticks end = plan_.requests ? load.due() : load.end();
    const auto over = [&] { return until.stop.load(std::memory_order_relaxed) || !until.budget.spend(0); };
    for (auto now = plan_.clock.now(); now < end && !over(); now = plan_.clock.now())
      plan_.clock.sleep_until(std::min(end, now + until.look_interval));
  }

  void note_keeping(Load& load, schedule_keeping& out) const {
    out.late = load.late();
    if (plan_.requests) {
      out.lag = std::chrono::nanoseconds(plan_.clock.nanoseconds(load.lag()));
    } else {
      out.never_sent = load.count_rest();
    }
  }

  /// To be called between the window and its drain.
  residence residence_until(tick_clock::ticks now, const thread_result& result) {
    const auto slots = static_cast<std::int64_t>(options_.window);
    residence out;
    out.requests = times_.ok.count() + times_.missed.count() + times_.failed.count();
    const std::uint64_t completed = times_.ok.sum() + times_.missed.sum() + times_.failed.sum();
    out.time = std::chrono::nanoseconds(completed + plan_.clock.nanoseconds(loop_->age_of_in_flight(now)));
    out.room = ((result.end - result.begin) * options_.connections - result.downtime) * slots;
    if (plan_.requests) {
      // The last requests to be issued took no longer than the longest of all.
      const std::uint64_t longest = std::max({times_.ok.max(), times_.missed.max(), times_.failed.max()});
      out.tail = std::chrono::nanoseconds(longest) * options_.connections * slots;
    }
    return out;
  }

  /// Runs a window through, connecting again as often as the budget allows.
  void run(const window_limits& until, tally& counts, latencies& times, Load& load) {
    while (true) {
      loop_end end = loop_end::failed;
      if (driver_ && !lost_.all()) {
        const watchdog::watch watching(row_.dog(), *driver_, progress_, patience());
        end = loop_->run(until, counts, times, load);
        if (never_came_back(watching)) return;
      } else {
        end = loop_end::disconnected;
      }
      if (end != loop_end::disconnected || !reconnect(until, counts)) return;
    }
  }

  /// Tries every connection that is down once its time has come. Returns false when the window is over.
  bool reconnect(const window_limits& until, tally& counts) {
    const tick_clock& clock = plan_.clock;
    bool goes_on = true;
    const auto over = [&] {
      return !goes_on || until.stop.load(std::memory_order_relaxed) || counts.issued() >= until.requests;
    };
    while (lost_.all() && !lost_.due(clock.now())) {
      if (over()) return false;
      clock.sleep_until(lost_.next_due(clock.now() + until.look_interval));
    }
    lost_.try_due(
        [&](std::uint32_t connection) {
          if (over()) return false;
          try {
            reopen(connection);
            return true;
          } catch (const setup_error& error) {
            connect_error_ = error.what();
            counts.issue(1);
            counts.count(op_status::connect);
            if (!until.budget.spend()) goes_on = false;
            return false;
          }
        },
        [&] { return clock.now(); });
    return !over() && !was_cut_off_too_long(until);
  }

  /// A window without a length must not wait for ever for a server that is gone.
  bool was_cut_off_too_long(const window_limits& until) {
    const tick_clock::ticks patience = until.timeout + plan_.clock.ticks_in(std::chrono::seconds(2));
    if (!plan_.requests || !lost_.all() || plan_.clock.now() - lost_.all_since() < patience) return false;
    row_.fail(fmt::format("no connection for {:.3g} s: {}",
                          static_cast<double>(plan_.clock.nanoseconds(patience)) / 1e9, connect_error_));
    return true;
  }

  void reopen(std::uint32_t connection) {
    const auto limit = std::min<std::chrono::milliseconds>(plan_.connect_timeout, longest_reconnect);
    if constexpr (reopens_connections<Driver>) {
      driver_->reopen(connection, limit);
    } else {
      // In place: the loop keeps its reference.
      driver_.reset();
      connect_options again = options_;
      again.connect_timeout = limit;
      connect(again);
    }
  }

  /// What a window left in flight is awaited outside it.
  void settle(const window_limits& until, tally& counts, latencies& times, Load& load) {
    if (!driver_) return;
    const watchdog::watch watching(row_.dog(), *driver_, progress_, patience());
    loop_->drain(until, counts, times, load);
    never_came_back(watching);
  }

  /// Blocking calls are broken up by the watchdog. Event loops keep the deadlines themselves; for them it is
  /// only a net, under which there is no going on.
  std::chrono::nanoseconds patience() const {
    const std::chrono::nanoseconds timeout = row_.dog().timeout();
    return reopens_connections<Driver> ? timeout * 5 / 4 + longest_look + std::chrono::seconds(1) : timeout;
  }
  bool never_came_back(const watchdog::watch& watching) {
    if (!reopens_connections<Driver> || !watching.timed_out()) return false;
    row_.fail("the driver did not return from its event loop in time");
    return true;
  }

  std::string latest_error(const tally& counts) const {
    if (counts.errors() == 0) return "";
    std::string out = driver_ ? driver_->last_error() : "";
    if (counts.of(op_status::connect) != 0) out += (out.empty() ? "" : ": ") + connect_error_;
    return out;
  }

  /// Nothing may go unnoticed for longer than this, whatever the time-out.
  static constexpr std::chrono::milliseconds longest_look{250};
  static constexpr std::chrono::milliseconds longest_reconnect{1000};

  row_session& row_;
  const row_plan& plan_;
  unsigned thread_;
  connect_options options_;
  lost_connections lost_;
  std::atomic<std::uint64_t> progress_{0};
  std::optional<Driver> driver_;
  std::optional<key_ring> keys_;
  std::optional<Workload> workload_;
  std::optional<typename detail::loop_for<Driver, Workload, Load>::type> loop_;
  latencies times_;
  std::optional<watchdog::sampled> sampled_;
  std::string connect_error_;
};

/// A private storage is filled before the warm-up.
template <driver_family Family, class Driver, class Workload>
void run_thread(row_session& row, unsigned thread) {
  if (row.plan().rate) {
    thread_run<Family, Driver, Workload, open_load>(row, thread)();
  } else {
    thread_run<Family, Driver, Workload, closed_load>(row, thread)();
  }
}

}  // namespace dbdyno
