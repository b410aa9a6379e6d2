#include "bench/row_session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace dbdyno {
namespace {

/// "1 disconnected: Connection reset by peer", "1 timeout: no reply within 5 s"
std::string describe_failures(const tally& counts, const std::string& cause, const watchdog& dog) {
  std::string out;
  for (std::size_t i = 0; i < op_status_count; ++i) {
    const auto status = static_cast<op_status>(i);
    if (!is_error(status) || counts.of(status) == 0) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", counts.of(status), to_string(status));
  }
  // What the library says after a time-out is only how it took the interruption.
  if (counts.of(op_status::timeout) != 0) {
    const double seconds = std::chrono::duration<double>(dog.timeout()).count();
    return fmt::format("{}: no reply within {:g} s", out, seconds);
  }
  return cause.empty() ? out : fmt::format("{}: {}", out, cause);
}

}  // namespace

row_session::row_session(row_plan plan, watchdog& dog)
    : plan_(std::move(plan)),
      dog_(dog),
      barrier_(static_cast<std::ptrdiff_t>(plan_.what.threads), phase_starter{this}),
      held_(plan_.what.threads),
      error_(plan_.cannot_run),
      results_(plan_.what.threads) {
}

std::uint64_t row_session::share_of_connections(std::uint64_t connections, unsigned thread) const noexcept {
  const std::uint64_t threads = plan_.what.threads;
  return connections / threads + (thread < connections % threads ? 1 : 0);
}

row_session::part_of_work row_session::part_of(unsigned thread) const noexcept {
  const auto connections_until = [this](std::size_t end) {
    return std::accumulate(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(end), std::uint64_t{0});
  };
  return {.all = connections_until(held_.size()), .before = connections_until(thread), .own = held_[thread]};
}

void row_session::fail(std::string error) {
  const std::lock_guard lock(mutex_);
  if (error_.empty()) error_ = std::move(error);
}

void row_session::close_phase(const tally& counts, const std::string& cause) {
  const std::lock_guard lock(mutex_);
  phase_counts_ += counts;
  if (phase_cause_.empty()) phase_cause_ = cause;
}

void row_session::judge_phase(phase over) {
  const std::lock_guard lock(mutex_);
  if (error_.empty() && budget_->exceeded(phase_counts_.issued())) {
    error_ = (over == phase::warmup ? "while warming up: " : "") +
             describe_failures(phase_counts_, phase_cause_, dog_);
  }
  phase_counts_ = {};
  phase_cause_.clear();
}

bool row_session::arrive() {
  barrier_.arrive_and_wait();
  return goes_on_;
}

void row_session::start_next_phase() noexcept {
  const phase next = phase_;
  phase_ = static_cast<phase>(static_cast<int>(phase_) + 1);
  if (next != phase::warmup) judge_phase(static_cast<phase>(static_cast<int>(next) - 1));
  if (next == phase::end) {
    after_ = read_meters(meters_order::costs_first);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    goes_on_ = error_.empty() && dog_.signal() == 0;
  }
  if (!goes_on_) return;
  if (next == phase::window) before_ = read_meters(meters_order::costs_last);
  budget_.emplace(plan_.max_errors, next == phase::window ? plan_.requests : std::nullopt);
  phase_begin_ = plan_.clock.now();
  if (plan_.requests && !plan_.counts_allocations) {
    dog_.start_window(std::nullopt);
  } else {
    dog_.start_window(next == phase::warmup ? plan_.warmup : plan_.duration);
  }
}

row_session::meters row_session::read_meters(meters_order order) const {
  meters out;
  const auto ask_server = [&] {
    if (plan_.counters != nullptr) out.counters = plan_.counters->read();
  };
  // To be asked costs the server CPU time.
  if (order == meters_order::costs_last) ask_server();
  out.tcp = read_tcp_events();
  out.client = read_process_usage(::getpid());
  if (plan_.server) out.server = read_process_usage(*plan_.server);
  if (order == meters_order::costs_first) ask_server();
  return out;
}

void row_session::add_costs(row_result& out) const {
  out.costs.client = cost_between(before_.client, after_.client);
  if (plan_.server) {
    out.costs.server = cost_between(before_.server, after_.server);
    const std::chrono::nanoseconds window = after_.server.at - before_.server.at;
    out.costs.server_cpus = plan_.server_cpus;
    if (out.costs.server.cpu && window.count() > 0) {
      out.costs.server_cores =
          static_cast<double>(out.costs.server.cpu->count()) / static_cast<double>(window.count());
    }
  }
  out.costs.tcp = events_between(before_.tcp, after_.tcp);
  if (plan_.counters != nullptr) {
    const server_counters counted = growth(before_.counters, after_.counters);
    if (counted.bytes_received && counted.bytes_sent)
      out.costs.bytes = traffic{.sent = *counted.bytes_received, .received = *counted.bytes_sent};
  }
}

void row_session::note_refusal(std::string said) {
  const std::lock_guard lock(mutex_);
  if (refusal_.empty()) refusal_ = std::move(said);
}

row_result row_session::result() {
  row_result out;
  {
    const std::lock_guard lock(mutex_);
    out.error = error_;
    out.refusal = refusal_;
  }
  if (phase_ > phase::end) {
    add_costs(out);
    out.slices = dog_.slice_rates();
  }
  out.costs.spins = plan_.spin;
  bool all_known = plan_.counters == nullptr;
  time_point last_end{};
  std::map<std::size_t, double> cores;  // how busy, by CPU, or by thread where none is bound
  for (std::size_t thread = 0; thread < results_.size(); ++thread) {
    const thread_result& one = results_[thread];
    out.counts += one.counts;
    out.times.merge(one.times);
    out.keeping.late += one.keeping.late;
    out.keeping.never_sent += one.keeping.never_sent;
    if (one.keeping.lag)
      out.keeping.lag = std::max(out.keeping.lag.value_or(std::chrono::nanoseconds(0)), *one.keeping.lag);
    out.operations += one.operations;
    out.in_flight += one.in_flight;
    out.costs.threads += one.cost;
    out.refused_connections += one.refused_connections;
    out.connecting = std::max(out.connecting, one.connecting);
    out.reconnects += one.reconnects;
    if (one.heap) {
      if (!out.costs.heap) out.costs.heap.emplace();
      out.costs.heap->count += one.heap->count;
      out.costs.heap->bytes += one.heap->bytes;
    }
    all_known = all_known && one.bytes;
    if (all_known) {
      if (!out.costs.bytes) out.costs.bytes.emplace();
      out.costs.bytes->sent += one.bytes->sent;
      out.costs.bytes->received += one.bytes->received;
    }
    out.downtime += one.downtime;
    const std::chrono::nanoseconds window = one.end - one.begin;
    if (window.count() <= 0) continue;
    if (out.begin == time_point{} || one.begin < out.begin) out.begin = one.begin;
    out.window = std::max(out.window, window);
    last_end = std::max(last_end, one.end);
    // Without a request of its own a thread has no window to speak of.
    if (one.counts.issued() != 0) {
      const std::size_t place = plan_.client_cpus.empty() ? thread : thread % plan_.client_cpus.size();
      double& core = cores[place];
      core += static_cast<double>(one.cost.cpu.count()) / static_cast<double>(window.count());
      out.costs.busiest_core = std::max(out.costs.busiest_core, core);
    }
    out.operations_per_second +=
        static_cast<double>(one.operations) * 1e9 / static_cast<double>(window.count());
  }
  // With a number of requests each thread's window ends with its share; adding up their rates would favour
  // shares that are unequally fast.
  if (plan_.requests && last_end > out.begin && out.begin != time_point{}) {
    out.operations_per_second =
        static_cast<double>(out.operations) / std::chrono::duration<double>(last_end - out.begin).count();
  }
  if (out.error.empty() && out.refused_connections != 0 && out.refused_connections >= plan_.what.connections)
    out.error = "all connections were refused: " + out.refusal;
  // A sum that lacks a thread would pass for the whole; new connections count anew.
  if ((plan_.counters == nullptr && !all_known) || out.reconnects != 0) out.costs.bytes.reset();
  if (out.error.empty() && !out.counts.balanced()) {
    out.error = fmt::format("{} requests were issued, but {} are accounted for", out.counts.issued(),
                            out.counts.operations() + out.counts.misses() + out.counts.errors());
  }
  if (out.error.empty() && dog_.signal() != 0) out.error = "interrupted";
  if (out.error.empty() && out.operations == 0) {
    out.error = out.counts.misses() != 0 ? "every key was missing: is the target loaded?"
                                         : "no operation completed inside the window";
  }
  return out;
}

}  // namespace dbdyno
