#pragma once

#include <vector>

#include "bench/finished_run.hpp"
#include "results/run_file.hpp"

namespace dbdyno {

/// The result file's row of one repetition.
results::row make_row(const finished_run& run, std::size_t index);

/// All repetitions that were run, in their order, without aggregates.
std::vector<results::row> make_rows(const finished_run& run);

}  // namespace dbdyno
