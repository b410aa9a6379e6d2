#include "bench/measure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/google_shell.hpp"
#include "bench/judge.hpp"
#include "bench/reference_rows.hpp"
#include "results/latency_record.hpp"
#include "results/statistics/moments.hpp"

namespace dbdyno {
namespace {

std::chrono::nanoseconds seconds(double value) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(value));
}

/// What the functions below have in common.
struct measurement {
  finished_run& run;
  const bench_options& options;
  const target_set& targets;
  const tick_clock& clock;
  watchdog& dog;
  progress_line& progress;
  reference_rows& rows;

  row_plan plan_row(const planned_cell& planned, const scheduled_row& row) const {
    row_plan out;
    out.what = planned.what;
    out.repetition = row.repetition;
    out.where = targets.at(planned.what.storage, planned.what.via);
    out.data = options.data;
    out.order = planned.what.order;
    out.ratio = planned.what.ratio.value_or(mix_ratio{});
    out.seed = options.seed;
    out.clock = clock;
    out.requests = planned.length.requests;
    out.warmup = seconds(planned.length.warmup);
    out.duration = seconds(planned.length.duration);
    out.connect_timeout = options.connect_timeout;
    out.max_errors = options.max_errors;
    out.spin = options.spin && planned.spins;
    out.client_cpus = run.plan.pins.client;
    out.server_cpus = targets.usable_cpus(planned.what);
    out.server = targets.process_of(planned.what.storage);
    out.counters = targets.counters_of(planned.what.storage, planned.what.via);
    if (const auto from = rows_source_of(planned.what)) {
      const reference_rows::answer& wanted = rows.of(planned.what.storage, *from);
      out.rows = wanted.block;
      out.cannot_run = wanted.complaint;
    }
    if (!planned.what.beside.empty()) out.exchange = exchange_beside(row.cell);
    if (planned.what.rate) out.rate = planned_rate{*planned.what.rate, options.arrivals};
    return out;
  }

  /// What the cell that this echo stands beside sends and receives for an operation.
  exchange_size exchange_beside(std::size_t echo) const {
    exchange_size out;
    for (std::size_t c = 0; c < run.plan.cells.size() && c < run.probes.size(); ++c) {
      if (!run.plan.cells[c].layers || run.plan.cells[c].layers->echo != echo) continue;
      const probe_result& seen = run.probes[c];
      if (seen.bytes_sent) out.request_bytes = static_cast<std::uint16_t>(std::lround(*seen.bytes_sent));
      if (seen.bytes_received)
        out.reply_bytes = static_cast<std::uint16_t>(std::lround(*seen.bytes_received));
    }
    return out;
  }

  void run_rows() const {
    run_under_google_benchmark(
        run, options.google,
        [this](const planned_cell& planned, const scheduled_row& row) {
          row_plan out = plan_row(planned, row);
          if (planned.what.is_open_loop() && !planned.what.rate)
            out.cannot_run = "its closed loop failed, so that there is no rate to take a percentage of";
          return out;
        },
        [this](std::size_t index) {
          show_row(index);
          set_rate(run.plan.cells[run.order[index].cell]);
        },
        dog);
  }

  void show_row(std::size_t index) const {
    std::string text = fmt::format("[{}/{}] {}", index + 1, run.order.size(),
                                   run.plan.cells[run.order[index].cell].what.id());
    double left = 0;
    for (std::size_t i = index; i < run.order.size(); ++i)
      left += run.plan.cells[run.order[i].cell].length.seconds();
    if (left > 0 && !options.max_rate_under) text += fmt::format(", about {:.0f} s left", left);
    progress.show(text);
  }

  /// A rate in percent is known when the rows of the closed loop have run, which they do before.
  void set_rate(planned_cell& planned) const {
    if (!planned.maximum || planned.what.rate) return;
    std::vector<double> reached;
    for (std::size_t i = 0; i < run.results.size(); ++i) {
      if (run.order[i].cell == *planned.maximum && run.results[i] && run.results[i]->ok())
        reached.push_back(run.results[i]->operations_per_second);
    }
    if (const auto maximum = results::median(reached))
      planned.what.rate = *maximum * *planned.what.rate_percent / 100;
  }
};

/// --requests promises a server exactly so many, so there is no further pass then.
void run_probes(const measurement& m) {
  if (m.options.given.requests) return;
  finished_run& run = m.run;
  run.probes.resize(run.plan.cells.size());
  for (std::size_t c = 0; c < run.plan.cells.size() && m.dog.signal() == 0; ++c) {
    const planned_cell& planned = run.plan.cells[c];
    m.progress.show(
        fmt::format("counting allocations [{}/{}] {}", c + 1, run.plan.cells.size(), planned.what.id()));
    run.probes[c] = probe(planned, m.plan_row(planned, {c, 0}), m.dog);
  }
}

/// Adds `what` to the run and runs it once. Null if it was interrupted before.
const row_result* run_once(const measurement& m, const planned_cell& planned, std::size_t like) {
  finished_run& run = m.run;
  run.plan.cells.push_back(planned);
  if (!run.probes.empty()) {
    const probe_result same = run.probes[like];
    run.probes.push_back(same);
  }
  run.order.push_back({run.plan.cells.size() - 1, 0});
  m.run_rows();
  return run.results.back() ? &*run.results.back() : nullptr;
}

std::optional<double> figure_of(const row_result& row, const latency_limit& limit) {
  const auto counters = results::latency_counters(row.times.ok);
  const auto found = counters.find(limit.counter());
  return found == counters.end() ? std::nullopt : std::optional(found->second);
}

/// The closed loop's row stands first: its rate is where the search begins.
finished_search search(const measurement& m, std::size_t cell) {
  const planned_cell base = m.run.plan.cells[cell];
  const latency_limit& limit = *m.options.max_rate_under;
  finished_search out{
      .cell = cell, .closed_loop = std::nullopt, .steps = {}, .knee = std::nullopt, .stopped = {}};
  m.run.order.push_back({cell, 0});
  m.run_rows();
  const auto& closed = m.run.results.back();
  if (!closed || !closed->ok()) {
    out.stopped = "its closed loop failed";
    return out;
  }
  out.closed_loop = closed->operations_per_second;
  max_rate_search on(*out.closed_loop);
  while (const auto rate = on.next()) {
    planned_cell step = base;
    step.what.rate = rate;
    const row_result* const row = run_once(m, step, cell);
    if (row == nullptr || m.dog.signal() != 0) {
      out.stopped = "interrupted";
      return out;
    }
    if (!row->ok()) {
      out.stopped = fmt::format("failed at {:.0f} per second: {}", *rate, row->error);
      return out;
    }
    const auto figure = figure_of(*row, limit);
    const bool missed = missed_rate(step.what, *row);
    const results::verdict verdict = judge(m.run).back();
    if (verdict.level == results::verdict_level::invalid && !missed) {
      out.stopped =
          fmt::format("at {:.0f} per second its row is invalid: {}", *rate, verdict.reasons.front());
      return out;
    }
    if (!figure && !missed) {
      out.stopped = fmt::format(
          "at {:.0f} per second, {} operations are too few to tell {}; give a longer "
          "--duration",
          *rate, row->operations, limit.figure);
      return out;
    }
    // What came too late to be issued had no latency to keep a limit with.
    const bool kept = !missed && *figure <= static_cast<double>(limit.nanoseconds);
    out.steps.push_back({*rate, missed ? std::nullopt : figure, kept});
    on.tell(kept);
  }
  out.knee = on.knee();
  return out;
}

}  // namespace

void measure(finished_run& run, const bench_options& options, const target_set& targets,
             const tick_clock& clock, watchdog& dog, progress_line& progress) {
  reference_rows rows(targets, options);
  const measurement m{run, options, targets, clock, dog, progress, rows};
  run_probes(m);
  if (options.max_rate_under) {
    const std::size_t cells = run.plan.cells.size();
    for (std::size_t c = 0; c < cells && dog.signal() == 0; ++c) run.searches.push_back(search(m, c));
  } else {
    m.run_rows();
  }
  run.signal = dog.signal();
  progress.clear();
}

}  // namespace dbdyno
