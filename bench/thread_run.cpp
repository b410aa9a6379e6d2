#include "bench/thread_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "bench/pinning.hpp"
#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

/// Nothing may go unnoticed for longer than this, whatever the time-out.
constexpr std::chrono::milliseconds longest_look{250};
constexpr std::chrono::milliseconds longest_reconnect{1000};
/// How long a server may take to forget connections that were closed.
constexpr std::chrono::milliseconds longest_settling{500};

connect_options options_for(const row_session& row, unsigned thread, const driven_loop::traits& traits) {
  const row_plan& plan = row.plan();
  connect_options options;
  options.where = plan.where;
  options.connections =
      plan.what.mode == mode::async
          ? static_cast<std::uint32_t>(row.share_of_connections(plan.what.connections, thread))
          : 1;
  options.window = std::min(plan.what.depth, traits.max_window);
  options.writes = traits.writes;
  options.value_size = plan.data.largest_value();
  options.sizes = plan.data.sizes();
  options.connect_timeout = plan.connect_timeout;
  options.request_timeout = row.request_timeout();
  options.exchange = plan.exchange;
  options.spin = plan.spin;
  if (traits.multigets) options.multiget_keys = plan.what.multiget_keys;
  options.reuse = plan.what.reuse;
  options.rows_from = traits.rows_from;
  options.rows = &plan.rows;
  return options;
}

/// Only now: what a queue's memory takes is no latency of its first requests.
void fill_queue(any_load& load, tick_clock::ticks now) {
  if (auto* const queue = std::get_if<queued_load>(&load)) queue->fill(now);
}

}  // namespace

thread_run::thread_run(row_session& row, unsigned thread, driven_loop& loop)
    : row_(row),
      plan_(row.plan()),
      thread_(thread),
      loop_(loop),
      traits_(loop.what()),
      options_(options_for(row, thread, traits_)),
      lost_(options_.connections, options_.window, plan_.clock.ticks_in(plan_.first_reconnect_delay),
            plan_.clock.ticks_in(std::chrono::seconds(1))) {
}

void thread_run::operator()() {
  try {
    if (const auto& cpus = plan_.client_cpus; !cpus.empty()) pin_this_thread(cpus[thread_ % cpus.size()]);
    const time_point begin = std::chrono::steady_clock::now();
    connect();
    connecting_ = std::chrono::steady_clock::now() - begin;
    if (options_.connections == 0) return stand_by();
    row_.hold(thread_, options_.connections);
    keys_.emplace(plan_.data, plan_.order, plan_.seed, thread_);
    loop_.prepare(row_, thread_, keys_->begin(), progress_, lost_,
                  std::size_t{options_.connections} * options_.window);
  } catch (const std::exception& error) {
    row_.fail(error.what());
  }
  if (!row_.start_warmup()) return;
  if (plan_.counts_allocations || (!plan_.requests && plan_.warmup.count() > 0)) warm_up();
  const std::optional<traffic> before = loop_.bytes();
  // Before the window, so that its slices know all threads from the first one on.
  if (!plan_.counts_allocations) sampled_.emplace(row_.dog(), progress_);
  if (!row_.start_window()) return;
  measure(before);
  row_.end_window();
}

std::optional<std::uint32_t> thread_run::try_connect() {
  try {
    loop_.connect(row_, options_);
    return std::nullopt;
  } catch (const setup_error& error) {
    if (!error.is_connection_limit()) throw;
    row_.note_refusal(error.reason());
    return error.opened_before();
  }
}

void thread_run::connect() {
  if (options_.connections == 0) return;
  connecting_turns& turns = row_.turns();
  std::optional<std::uint32_t> opened;
  {
    const auto turn = turns.together();
    opened = try_connect();
  }
  if (!opened) return;
  const auto turn = turns.alone();
  const std::chrono::milliseconds settling = std::min(plan_.connect_timeout, longest_settling);
  if (*opened != 0) turns.note_closing(settling);
  while (options_.connections != 0) {
    // How many it takes is the most of several attempts.
    std::uint32_t most = 0;
    const time_point until = turns.settled_by(settling);
    while ((opened = try_connect())) {
      most = std::max(most, *opened);
      if (*opened != 0) turns.note_closing(settling);
      if (std::chrono::steady_clock::now() >= until) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (!opened) break;
    refused_ += options_.connections - most;
    options_.connections = most;
  }
  if (refused_ == 0) return;
  lost_ = lost_connections(options_.connections, options_.window,
                           plan_.clock.ticks_in(plan_.first_reconnect_delay),
                           plan_.clock.ticks_in(std::chrono::seconds(1)));
}

void thread_run::stand_by() {
  if (!row_.start_warmup()) return;
  row_.close_phase({}, "");
  if (!row_.start_window()) return;
  thread_result result;
  result.connecting = connecting_;
  result.refused_connections = refused_;
  result.counts.issue(refused_);
  result.counts.count(op_status::connect, refused_);
  row_.finish(thread_, std::move(result));
  row_.end_window();
}

window_limits thread_run::limits() {
  const std::chrono::nanoseconds timeout = row_.dog().timeout();
  return {row_.dog().stop(), row_.budget(),
          plan_.requests ? row_.part_of(thread_).share(*plan_.requests) : window_limits::unlimited,
          plan_.clock.ticks_in(timeout),
          plan_.clock.ticks_in(std::min<std::chrono::nanoseconds>(timeout / 4, longest_look)) + 1};
}

any_load thread_run::make_load(std::chrono::nanoseconds length, std::uint64_t requests) const {
  if (!plan_.rate) {
    if (!traits_.queues) return closed_load();
    return queued_load(std::size_t{options_.connections} * plan_.what.depth, requests);
  }
  const row_session::part_of_work part = row_.part_of(thread_);
  const auto all = static_cast<double>(part.all);
  const double interval =
      plan_.clock.ticks_per_second() * all / static_cast<double>(part.own) / plan_.rate->per_second;
  const tick_clock::ticks begin = row_.phase_begin();
  return open_load(plan_.rate->kind, interval, static_cast<double>(part.before) / all, begin,
                   plan_.requests ? open_load::endless : begin + plan_.clock.ticks_in(length),
                   plan_.clock.ticks_in(std::chrono::microseconds(100)),
                   plan_.seed + thread_ + std::uint64_t{plan_.repetition} * plan_.what.threads);
}

void thread_run::warm_up() {
  tally counts;
  const window_limits until = limits();
  any_load load = make_load(plan_.warmup, until.requests);
  fill_queue(load, plan_.clock.now());
  run(until, counts, load);
  settle(until, counts, load);
  row_.close_phase(counts, latest_error(counts));
  // The pages stay touched: the window must not fault them in.
  times_.clear();
  lost_.reset_counts(plan_.clock.now());
}

void thread_run::measure(const std::optional<traffic>& bytes_before) {
  thread_result result;
  const window_limits until = limits();
  any_load load = make_load(plan_.duration, until.requests);
  const auto* const schedule = std::get_if<open_load>(&load);
  const thread_usage usage_before = read_thread_usage();
  // A schedule begins for all threads at once, however late one of them wakes up.
  const tick_clock::ticks start = plan_.clock.now();
  result.begin = plan_.clock.steady_time(schedule != nullptr ? row_.phase_begin() : start, start);
  fill_queue(load, start);
  // The drain belongs to what is counted: its requests do.
  std::optional<allocation_counter> heap;
  if (plan_.counts_allocations) heap.emplace();
  run(until, result.counts, load);
  if (schedule != nullptr) await_end(*schedule, until);
  const tick_clock::ticks now = plan_.clock.now();
  result.end = std::chrono::steady_clock::now();
  sampled_.reset();
  result.cost = cost_between(usage_before, read_thread_usage());
  result.operations = result.counts.operations();
  result.connecting = connecting_;
  result.reconnects = lost_.restored();
  result.downtime = std::chrono::nanoseconds(plan_.clock.nanoseconds(lost_.downtime(now)));
  result.in_flight = residence_until(now, result, load);
  settle(until, result.counts, load);
  if (heap) result.heap = heap->stop();
  if (schedule != nullptr) note_keeping(std::get<open_load>(load), result.keeping);
  // A connection that is down takes its part of the counters with it.
  if (!lost_.any()) result.bytes = traffic_between(bytes_before, loop_.bytes());
  row_.close_phase(result.counts, latest_error(result.counts));
  // Not for the budget: it is known, and the others are worth measuring.
  result.refused_connections = refused_;
  result.counts.issue(refused_);
  result.counts.count(op_status::connect, refused_);
  result.times = std::move(times_);
  row_.finish(thread_, std::move(result));
}

void thread_run::await_end(const open_load& schedule, const window_limits& until) const {
  const tick_clock::ticks end = plan_.requests ? schedule.due() : schedule.end();
  const auto over = [&] { return until.stop.load(std::memory_order_relaxed) || !until.budget.spend(0); };
  for (auto now = plan_.clock.now(); now < end && !over(); now = plan_.clock.now())
    plan_.clock.sleep_until(std::min(end, now + until.look_interval));
}

void thread_run::note_keeping(open_load& schedule, schedule_keeping& out) const {
  out.late = schedule.late();
  if (plan_.requests) {
    out.lag = std::chrono::nanoseconds(plan_.clock.nanoseconds(schedule.lag()));
  } else {
    out.never_sent = schedule.count_rest();
  }
}

residence thread_run::residence_until(tick_clock::ticks now, const thread_result& result,
                                      const any_load& load) {
  residence out;
  out.requests = times_.ok.count() + times_.missed.count() + times_.failed.count();
  const std::uint64_t completed = times_.ok.sum() + times_.missed.sum() + times_.failed.sum();
  tick_clock::ticks age = loop_.age_of_in_flight(now);
  std::int64_t slots = options_.window;
  std::chrono::nanoseconds down = result.downtime;
  if (const auto* const queue = std::get_if<queued_load>(&load)) {
    // What a lost connection does not take waits in the queue.
    age += queue->age(now);
    slots = plan_.what.depth;
    down = std::chrono::nanoseconds(0);
  }
  out.time = std::chrono::nanoseconds(completed + plan_.clock.nanoseconds(age));
  out.room = ((result.end - result.begin) * options_.connections - down) * slots;
  if (plan_.requests) {
    // The last requests to be issued took no longer than the longest of all.
    const std::uint64_t longest = std::max({times_.ok.max(), times_.missed.max(), times_.failed.max()});
    out.tail = std::chrono::nanoseconds(longest) * options_.connections * slots;
  }
  return out;
}

void thread_run::run(const window_limits& until, tally& counts, any_load& load) {
  while (true) {
    loop_end end = loop_end::failed;
    if (loop_.connected() && !lost_.all()) {
      progress_.fetch_or(watchdog::idle, std::memory_order_relaxed);
      const watchdog::watch watching(row_.dog(), loop_, progress_, patience());
      end = loop_.run(until, counts, times_, load);
      if (never_came_back(watching)) return;
    } else {
      end = loop_end::disconnected;
    }
    if (end != loop_end::disconnected || !reconnect(until, counts)) return;
  }
}

void thread_run::settle(const window_limits& until, tally& counts, any_load& load) {
  if (!loop_.connected()) return;
  progress_.fetch_or(watchdog::idle, std::memory_order_relaxed);
  const watchdog::watch watching(row_.dog(), loop_, progress_, patience());
  loop_.drain(until, counts, times_, load);
  never_came_back(watching);
}

bool thread_run::reconnect(const window_limits& until, tally& counts) {
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

void thread_run::reopen(std::uint32_t connection) {
  const auto limit = std::min<std::chrono::milliseconds>(plan_.connect_timeout, longest_reconnect);
  if (traits_.reopens_connections) {
    loop_.reopen(connection, limit);
  } else {
    loop_.disconnect();
    connect_options again = options_;
    again.connect_timeout = limit;
    loop_.connect(row_, again);
  }
}

bool thread_run::was_cut_off_too_long(const window_limits& until) {
  const tick_clock::ticks patience = until.timeout + plan_.clock.ticks_in(std::chrono::seconds(2));
  if (!plan_.requests || !lost_.all() || plan_.clock.now() - lost_.all_since() < patience) return false;
  row_.fail(fmt::format("no connection for {:.3g} s: {}",
                        static_cast<double>(plan_.clock.nanoseconds(patience)) / 1e9, connect_error_));
  return true;
}

/// Blocking calls are broken up by the watchdog. Event loops keep the deadlines themselves; for them it is
/// only a net, under which there is no going on.
std::chrono::nanoseconds thread_run::patience() const {
  const std::chrono::nanoseconds timeout = row_.dog().timeout();
  return traits_.reopens_connections ? timeout * 5 / 4 + longest_look + std::chrono::seconds(1) : timeout;
}

bool thread_run::never_came_back(const watchdog::watch& watching) {
  if (!traits_.reopens_connections || !watching.timed_out()) return false;
  row_.fail("the driver did not return from its event loop in time");
  return true;
}

std::string thread_run::latest_error(const tally& counts) const {
  if (counts.errors() == 0) return "";
  std::string out = loop_.last_error();
  if (counts.of(op_status::connect) != 0 && !connect_error_.empty())
    out += (out.empty() ? "" : ": ") + connect_error_;
  return out;
}

}  // namespace dbdyno
