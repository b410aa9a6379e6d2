#include "bench/layers.hpp"

#include <map>

namespace dbdyno {
namespace {

/// A cell's figure by repetition, of those without an error.
template <class Figure>
std::map<unsigned, double> by_repetition(const finished_run& run, std::size_t cell, Figure&& figure) {
  std::map<unsigned, double> out;
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    if (run.order[i].cell == cell && run.results[i] && run.results[i]->ok())
      out.emplace(run.order[i].repetition, figure(*run.results[i]));
  }
  return out;
}

std::optional<results::interval_estimate> estimate(const std::map<unsigned, double>& of,
                                                   const std::map<unsigned, double>& less) {
  std::vector<double> differences;
  for (const auto& [repetition, value] : of) {
    const auto other = less.find(repetition);
    if (other != less.end()) differences.push_back(value - other->second);
  }
  return results::mean_interval(differences);
}

std::optional<results::interval_estimate> estimate(const std::map<unsigned, double>& of) {
  std::vector<double> values;
  for (const auto& [repetition, value] : of) values.push_back(value);
  return results::mean_interval(values);
}

/// Whether the echo beside the cell was told how many bytes an operation takes.
bool knows_bytes(const finished_run& run, std::size_t cell) {
  return cell < run.probes.size() && run.probes[cell].bytes_sent && run.probes[cell].bytes_received;
}

template <class Figure>
layer_split split(const finished_run& run, std::size_t cell, const layer_cells& beside, Figure&& figure) {
  const auto whole = by_repetition(run, cell, figure);
  const auto echo = by_repetition(run, beside.echo, figure);
  const auto null = by_repetition(run, beside.null, figure);
  layer_split out{.harness = estimate(null)};
  // An echo of other bytes than the cell's would be no floor of it.
  if (knows_bytes(run, cell)) {
    out.wire = estimate(echo, null);
    out.library = estimate(whole, echo);
  }
  return out;
}

}  // namespace

std::vector<cell_layers> split_layers(const finished_run& run) {
  std::vector<cell_layers> out;
  for (std::size_t c = 0; c < run.plan.cells.size(); ++c) {
    const auto& beside = run.plan.cells[c].layers;
    if (!beside) continue;
    out.push_back({.cell = c,
                   .time = split(run, c, *beside,
                                 [](const row_result& row) { return 1e9 / row.operations_per_second; }),
                   .client_cpu = split(run, c, *beside, [](const row_result& row) {
                     return row.client_cpu_per_operation();
                   })});
  }
  return out;
}

}  // namespace dbdyno
