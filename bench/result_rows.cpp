#include "bench/result_rows.hpp"

#include <algorithm>

namespace dbdyno {
namespace {

unsigned planned_repetitions(const finished_run& run, std::size_t cell) {
  return static_cast<unsigned>(std::count_if(run.order.begin(), run.order.end(),
                                             [&](const scheduled_row& r) { return r.cell == cell; }));
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
  out.iterations = result.counts.operations();
  out.counters = {{"ops", static_cast<double>(result.counts.operations())},
                  {"misses", static_cast<double>(result.counts.misses())},
                  {"errors", static_cast<double>(result.counts.errors())}};
  if (!result.ok()) {
    out.error_message = result.error;
    return out;
  }
  out.real_time = 1e9 / result.operations_per_second;
  out.cpu_time = result.client_cpu_per_operation();
  out.counters["items_per_second"] = result.operations_per_second;
  out.counters["client_cpu_ns_per_op"] = result.client_cpu_per_operation();
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
