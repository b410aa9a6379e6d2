#include "bench/result_rows.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "results/latency_record.hpp"

namespace dbdyno {
namespace {

unsigned planned_repetitions(const finished_run& run, std::size_t cell) {
  return static_cast<unsigned>(std::count_if(run.order.begin(), run.order.end(),
                                             [&](const scheduled_row& r) { return r.cell == cell; }));
}

using counters = std::map<std::string, double>;

void add_latencies(counters& out, const std::string& prefix, const results::histogram& latencies) {
  for (const auto& [name, value] : results::latency_counters(latencies)) out[prefix + name] = value;
}

/// value / requests, where both are known.
template <class Value>
void add_per_op(counters& out, const std::string& name, const std::optional<Value>& value,
                std::uint64_t requests) {
  if (value && requests != 0) out[name] = static_cast<double>(*value) / static_cast<double>(requests);
}

std::optional<std::int64_t> as_nanoseconds(const std::optional<std::chrono::nanoseconds>& value) {
  return value ? std::optional(value->count()) : std::nullopt;
}

void add_split(counters& out, const std::string& side, const std::optional<sampled_split>& split,
               std::uint64_t requests) {
  if (!split) return;
  add_per_op(out, side + "_user_ns_per_op_sampled", std::optional(split->user.count()), requests);
  add_per_op(out, side + "_system_ns_per_op_sampled", std::optional(split->system.count()), requests);
}

void add_switches(counters& out, const std::string& side, const context_switches& switches,
                  std::uint64_t requests) {
  add_per_op(out, side + "_voluntary_switches_per_op", std::optional(switches.voluntary), requests);
  add_per_op(out, side + "_involuntary_switches_per_op", std::optional(switches.involuntary), requests);
}

void add_process(counters& out, const std::string& side, const process_cost& cost, std::uint64_t requests) {
  add_per_op(out, side + "_read_bytes_per_op", cost.read_bytes, requests);
  add_per_op(out, side + "_written_bytes_per_op", cost.written_bytes, requests);
  if (cost.resident_growth) out[side + "_memory_growth_bytes"] = static_cast<double>(*cost.resident_growth);
}

/// What the measuring threads cost is per operation inside the window; the rest covers the drain, too.
void add_costs(counters& out, const row_result& result) {
  const row_costs& costs = result.costs;
  const std::uint64_t all = result.counts.operations();
  out["client_cpu_ns_per_op"] = result.client_cpu_per_operation();
  out["client_core_busy"] = costs.busiest_core;
  add_split(out, "client", costs.threads.split, result.operations);
  add_switches(out, "client", {costs.threads.voluntary_switches, costs.threads.involuntary_switches},
               result.operations);
  add_process(out, "client", costs.client, all);

  add_per_op(out, "server_cpu_ns_per_op", as_nanoseconds(costs.server.cpu), all);
  if (costs.server_cores) out["server_cores_busy"] = *costs.server_cores;
  if (const auto busy = costs.server_busy()) out["server_busy"] = *busy;
  add_split(out, "server", costs.server.split, all);
  if (costs.server.switches) add_switches(out, "server", *costs.server.switches, all);
  add_process(out, "server", costs.server, all);

  if (costs.bytes) {
    add_per_op(out, "bytes_sent_per_op", std::optional(costs.bytes->sent), all);
    add_per_op(out, "bytes_received_per_op", std::optional(costs.bytes->received), all);
  }
}

void add_probe(counters& out, const probe_result& probe) {
  if (probe.allocations) out["allocs_per_op"] = *probe.allocations;
  if (probe.allocated_bytes) out["allocated_bytes_per_op"] = *probe.allocated_bytes;
}

}  // namespace

results::row make_row(const finished_run& run, std::size_t index) {
  const scheduled_row& scheduled = run.order[index];
  const cell& what = run.plan.cells[scheduled.cell].what;
  const row_result& result = *run.results[index];
  results::row out;
  out.name = what.google_benchmark_name();
  out.repetition = scheduled.repetition;
  out.repetitions = planned_repetitions(run, scheduled.cell);
  out.threads = what.threads;
  out.iterations = result.operations;
  out.counters = {{"ops", static_cast<double>(result.operations)},
                  {"misses", static_cast<double>(result.counts.misses())},
                  {"errors", static_cast<double>(result.counts.errors())}};
  if (what.rate) {
    out.counters["target_rate"] = *what.rate;
    out.counters["late"] = static_cast<double>(result.keeping.late);
    out.counters["never_sent"] = static_cast<double>(result.keeping.never_sent);
  }
  if (!result.ok()) {
    out.error_message = result.error;
    return out;
  }
  out.real_time = 1e9 / result.operations_per_second;
  out.cpu_time = result.client_cpu_per_operation();
  out.counters["items_per_second"] = result.operations_per_second;
  add_latencies(out.counters, "", result.times.ok);
  add_latencies(out.counters, "service_", result.times.service);
  out.counters["connect_ns"] = static_cast<double>(result.connecting.count());
  add_costs(out.counters, result);
  if (!run.probes.empty()) add_probe(out.counters, run.probes[scheduled.cell]);
  return out;
}

std::vector<results::row> make_rows(const finished_run& run) {
  std::vector<results::row> out;
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    if (run.results[i]) out.push_back(make_row(run, i));
  }
  return out;
}

}  // namespace dbdyno
