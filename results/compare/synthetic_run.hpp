#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/run_file.hpp"

namespace dbdyno::results {

/// A run of one plan on one machine, for tests, with no rows yet.
inline run_file empty_run() {
  run_file run;
  run.context.date = "2026-01-01T00:00:00+00:00";
  run.context.executable = "dbdyno-bench";
  run.context.load_avg = {0, 0, 0};
  run.context.library_build_type = "debug";
  run.context.library_version = "1.7.1";
  run.context.dbdyno_version = "0.1.0";
  run.context.dbdyno_build_type = "Release";
  run.machine.host_name = "box";
  run.machine.cpu_model = "Fast CPU";
  run.machine.cpu_count = 2;
  run.machine.compiler = "GNU 12.2.0";
  run.plan = {
      .name = "quick", .hash = "0123456789abcdef", .seed = 1, .options = {{"keys", "1000"}}, .order = {}};
  return run;
}

/// Adds the repetitions of a benchmark, each with its ops/s.
inline void add_cell(run_file& run, const std::string& name, const std::vector<double>& rates) {
  for (std::size_t i = 0; i < rates.size(); ++i) {
    row each;
    each.name = name;
    each.repetition = static_cast<unsigned>(i);
    each.repetitions = static_cast<unsigned>(rates.size());
    each.iterations = 1000;
    each.real_time = 1e9 / rates[i];
    each.cpu_time = 1e8 / rates[i];
    each.counters = {{"items_per_second", rates[i]}, {"client_cpu_ns_per_op", 1e8 / rates[i]}};
    run.rows.push_back(each);
    run.cells.push_back({.name = name, .repetition = each.repetition, .judged = verdict{}, .errors = {}});
  }
}

}  // namespace dbdyno::results
