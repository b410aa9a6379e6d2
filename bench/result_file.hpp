#pragma once

#include <vector>

#include "bench/driver_entry.hpp"
#include "bench/finished_run.hpp"
#include "bench/options.hpp"
#include "results/run_file.hpp"

namespace dbdyno {

/// What is known before the first row: machine, program, libraries, plan.
/// Secrets: targets come with their URLs masked.
results::run_file describe_run(const finished_run& run, const bench_options& options,
                               const std::vector<driver_entry>& drivers,
                               std::vector<results::target_info> targets, const tick_clock& clock);

/// Adds what was run: the rows in their order, their aggregates, what is known of each beyond its row,
/// searches.
void add_results(results::run_file& file, const finished_run& run, const bench_options& options);

}  // namespace dbdyno
