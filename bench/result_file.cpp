#include "bench/result_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>

#include "bench/build_info.hpp"
#include "bench/google_build_type.hpp"
#include "bench/handicap.hpp"
#include "bench/judge.hpp"
#include "bench/layers.hpp"
#include "bench/result_rows.hpp"
#include "drivers/version.hpp"
#include "results/aggregates.hpp"
#include "results/local_time.hpp"
#include "results/plan_hash.hpp"

namespace dbdyno {
namespace {

/// As the flags would say it; several values, where the cells differ, in a list.
void add_lengths(std::map<std::string, std::string>& out, const run_plan& plan) {
  std::map<std::string, std::set<double>> values;
  for (const planned_cell& planned : plan.cells) {
    const row_length& length = planned.length;
    values["repetitions"].insert(length.repetitions);
    if (length.requests) {
      values["requests"].insert(static_cast<double>(*length.requests));
    } else {
      values["duration"].insert(length.duration);
      values["warmup"].insert(length.warmup);
    }
  }
  for (const auto& [name, known] : values) {
    std::string text;
    for (const double value : known) text += fmt::format("{}{:.15g}", text.empty() ? "" : ",", value);
    out[name] = text;
  }
}

/// What dbdyno-compare refuses to set beside another one unasked.
std::string describe_build() {
  if constexpr (handicap_percent == 0) {
    return build_info::build_type;
  } else {
    return fmt::format("{}, slowed down by {} % as a test", build_info::build_type, handicap_percent);
  }
}

results::plan_info describe_plan(const finished_run& run, const bench_options& options) {
  results::plan_info out;
  out.name = run.plan.name;
  out.seed = options.seed;
  out.options = options.shape;
  out.options["pin"] = run.plan.pin;
  add_lengths(out.options, run.plan);
  const auto is_open = [](const planned_cell& planned) { return planned.what.is_open_loop(); };
  if (options.max_rate_under || std::any_of(run.plan.cells.begin(), run.plan.cells.end(), is_open))
    out.options["arrivals"] = options.arrivals == arrivals::poisson ? "poisson" : "constant";
  // What is measured and how, not in which order or by which words it was selected: two seeds of one plan are
  // comparable.
  std::string text;
  for (const auto& [name, value] : out.options) {
    if (name != "seed" && name != "benchmark_filter") text += fmt::format("{}={}\n", name, value);
  }
  for (const planned_cell& planned : run.plan.cells) {
    const row_length& length = planned.length;
    text += fmt::format("{} {} {:g} {:g} {}\n", planned.what.google_benchmark_name(),
                        length.requests.value_or(0), length.duration, length.warmup, length.repetitions);
  }
  out.hash = results::plan_hash(text);
  return out;
}

}  // namespace

results::run_file describe_run(const finished_run& run, const bench_options& options,
                               const std::vector<driver_entry>& drivers,
                               std::vector<results::target_info> targets, const tick_clock& clock) {
  results::run_file out;
  out.context.date = results::local_time(std::time(nullptr));
  out.context.executable = "dbdyno-bench";
  out.context.load_avg = results::read_load_averages();
  out.context.library_build_type = google_benchmark_build_type();
  out.context.library_version = build_info::google_benchmark_version;
  out.context.dbdyno_version = DBDYNO_VERSION;
  out.context.dbdyno_build_type = describe_build();
  out.machine = results::read_machine();
  out.machine.compiler = build_info::compiler;
  if (run.plan.pins.any()) out.machine.pinning = to_string(run.plan.pins);
  for (const driver_entry& driver : drivers) {
    out.machine.libraries.emplace(fmt::format("{}/{}", driver.storage, driver.name), driver.version());
  }
  out.targets = std::move(targets);
  out.plan = describe_plan(run, options);
  const clock_costs costs = measure_costs(clock);
  out.clock = results::clock_info{.source = std::string(clock.source()),
                                  .ticks_per_second = clock.ticks_per_second(),
                                  .read_ns = costs.read,
                                  .record_ns = costs.record};
  return out;
}

namespace {

/// issued = ok + missed + the errors of all classes + unknown + unsent.
results::accounting account_for(const tally& counts) {
  results::accounting out;
  out.issued = counts.issued();
  out.ok = counts.operations();
  out.missed = counts.misses();
  out.unknown = counts.of(op_status::unknown);
  out.unsent = counts.of(op_status::unsent);
  return out;
}

void add_histogram(std::map<std::string, results::latency_record>& out, const char* kind,
                   const results::histogram& durations) {
  if (!durations.empty()) out.emplace(kind, results::to_record(durations));
}

results::rate_search describe_search(const finished_run& run, const finished_search& search,
                                     const bench_options& options) {
  results::rate_search out;
  out.name = run.plan.cells[search.cell].what.google_benchmark_name();
  out.limit = to_string(*options.max_rate_under);
  for (const search_step& step : search.steps) out.steps.push_back({step.rate, step.figure, step.kept});
  out.knee = search.knee;
  out.stopped = search.stopped;
  return out;
}

}  // namespace

void add_results(results::run_file& file, const finished_run& run, const bench_options& options) {
  const std::vector<results::verdict> verdicts = judge(run);
  for (const scheduled_row& row : run.order)
    file.plan.order.push_back({run.plan.cells[row.cell].what.google_benchmark_name(), row.repetition});
  for (const finished_search& one : run.searches) file.searches.push_back(describe_search(run, one, options));
  for (const cell_layers& one : split_layers(run)) {
    const std::string name = run.plan.cells[one.cell].what.google_benchmark_name();
    file.layer_splits.push_back({name, "time", one.time.harness, one.time.wire, one.time.library});
    file.layer_splits.push_back(
        {name, "client_cpu", one.client_cpu.harness, one.client_cpu.wire, one.client_cpu.library});
  }
  file.rows = results::with_aggregates(make_rows(run));
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    if (!run.results[i]) {
      file.partial = true;
      continue;
    }
    results::cell one;
    one.name = run.plan.cells[run.order[i].cell].what.google_benchmark_name();
    one.repetition = run.order[i].repetition;
    const row_result& result = *run.results[i];
    one.judged = verdicts[i];
    one.requests = account_for(result.counts);
    for (std::size_t s = 0; s < op_status_count; ++s) {
      const auto status = static_cast<op_status>(s);
      // These two are no classes of error but outcomes of their own.
      if (status == op_status::unknown || status == op_status::unsent) continue;
      if (is_error(status) && result.counts.of(status) != 0)
        one.errors.emplace(to_string(status), result.counts.of(status));
    }
    one.refusals = result.counts.refusals();
    if (result.reconnects != 0) one.reconnects = result.reconnects;
    if (result.downtime.count() != 0) one.downtime_s = std::chrono::duration<double>(result.downtime).count();
    if (result.begin != time_point{})
      one.start_s = std::chrono::duration<double>(result.begin - run.started).count();
    one.window_s = std::chrono::duration<double>(result.window).count();
    one.slices = result.slices;
    add_histogram(one.histograms, "ok", result.times.ok);
    add_histogram(one.histograms, "service", result.times.service);
    add_histogram(one.histograms, "missed", result.times.missed);
    add_histogram(one.histograms, "failed", result.times.failed);
    file.cells.push_back(std::move(one));
  }
  if (run.signal != 0) file.partial = true;
}

}  // namespace dbdyno
