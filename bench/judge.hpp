#pragma once

#include <cstddef>
#include <vector>

#include "bench/finished_run.hpp"
#include "results/run_file.hpp"

namespace dbdyno {

/// What each row of a run is worth, as results/verdict_rules.hpp has it.
/// Shapes: as many as run.results; a row that was not run is judged valid.
std::vector<results::verdict> judge(const finished_run& run);

/// Whether an open loop did not issue what was due; false of closed loops and of rows that errored.
bool missed_rate(const cell& what, const row_result& row);

}  // namespace dbdyno
