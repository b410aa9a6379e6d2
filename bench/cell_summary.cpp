#include "bench/cell_summary.hpp"

#include <chrono>

#include "bench/judge.hpp"
#include "results/statistics/moments.hpp"

namespace dbdyno {
namespace {

double seconds(std::chrono::nanoseconds length) {
  return std::chrono::duration<double>(length).count();
}

}  // namespace

std::optional<double> cell_summary::rate() const {
  return rates.empty() ? std::nullopt : std::optional(*results::median(rates));
}

cell_summary summarise(const finished_run& run, const std::vector<results::verdict>& verdicts,
                       std::size_t cell) {
  cell_summary out;
  for (std::size_t i = 0; i < run.order.size(); ++i) {
    if (run.order[i].cell != cell || i >= run.results.size() || !run.results[i]) continue;
    const row_result& result = *run.results[i];
    out.misses += result.counts.misses();
    out.errors += result.counts.errors();
    if (verdicts[i].level > out.worst) {
      out.worst = verdicts[i].level;
      out.reasons = verdicts[i].reasons;
    }
    out.missed_rate = out.missed_rate || missed_rate(run.plan.cells[cell].what, result);
    if (!result.ok()) {
      ++out.failed;
      if (out.error.empty()) out.error = result.error;
      continue;
    }
    out.rates.push_back(result.operations_per_second);
    out.operations.push_back(static_cast<double>(result.operations));
    out.windows.push_back(seconds(result.window));
    out.connects.push_back(seconds(result.connecting));
    out.cpu.push_back(result.client_cpu_per_operation());
    out.busiest_core.push_back(result.costs.busiest_core);
    out.spins = result.costs.spins;
    if (const auto busy = result.costs.server_busy()) out.server_busy.push_back(*busy);
    if (result.costs.server.cpu && result.counts.operations() != 0) {
      out.server_cpu.push_back(static_cast<double>(result.costs.server.cpu->count()) /
                               static_cast<double>(result.counts.operations()));
    }
    out.latencies.merge(result.times.ok);
  }
  return out;
}

}  // namespace dbdyno
