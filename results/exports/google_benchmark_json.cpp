#include "results/exports/google_benchmark_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "results/aggregates.hpp"
#include "results/cell_group.hpp"
#include "results/run_file_writer.hpp"

namespace dbdyno::results {
namespace {

bool has_time(const row& of) {
  return of.real_time && std::isfinite(*of.real_time) && *of.real_time > 0;
}

std::optional<std::string> with_rows(const run_file& run, std::vector<row> rows) {
  if (rows.empty()) return std::nullopt;
  run_file out;
  out.context = run.context;
  out.machine = run.machine;
  out.imported = run.imported;
  out.rows = std::move(rows);
  return to_google_benchmark_json(out);
}

row median_row(const benchmark_figures& of) {
  row out;
  out.name = of.name;
  out.threads = of.threads;
  for (const auto& [name, figure] : of.figures) {
    if (name == "real_time") {
      out.real_time = figure.value;
    } else if (name == "cpu_time") {
      out.cpu_time = figure.value;
    } else if (name == "iterations") {
      out.iterations = static_cast<std::uint64_t>(std::llround(figure.value));
    } else {
      out.counters[name] = figure.value;
    }
  }
  return out;
}

}  // namespace

std::optional<std::string> google_benchmark_json(const run_file& run) {
  std::set<const row*> counted;
  std::set<std::string_view> repeated;
  for (const cell_group& group : groups_of(run)) {
    repeated.insert(group.repetitions.front().figures->name);
    for (const auto& each : group.repetitions) {
      if (counts(each) && has_time(*each.figures)) counted.insert(each.figures);
    }
  }
  std::vector<row> rows;
  std::vector<row> statistics_alone;
  for (const row& each : run.rows) {
    if (counted.contains(&each)) rows.push_back(each);
    if (each.kind && !repeated.contains(each.name)) statistics_alone.push_back(each);
  }
  rows = with_aggregates(std::move(rows));
  std::move(statistics_alone.begin(), statistics_alone.end(), std::back_inserter(rows));
  return with_rows(run, std::move(rows));
}

std::optional<std::string> google_benchmark_median_json(const run_file& run,
                                                        const std::vector<benchmark_figures>& benchmarks) {
  std::vector<row> rows;
  for (const benchmark_figures& each : benchmarks) {
    row one = median_row(each);
    if (has_time(one)) rows.push_back(std::move(one));
  }
  return with_rows(run, std::move(rows));
}

}  // namespace dbdyno::results
