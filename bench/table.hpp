#pragma once

#include <string>

#include "bench/finished_run.hpp"
#include "bench/options.hpp"

namespace dbdyno {

/// The console table: a block for each workload, a line for each cell in the plan's order, and what the
/// columns mean. Shapes: cells of which no repetition was run are left out.
std::string make_table(const finished_run& run, const bench_options& options);

}  // namespace dbdyno
