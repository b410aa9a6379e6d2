#pragma once

#include <string>
#include <vector>

#include "results/exports/exported_file.hpp"
#include "results/run_file.hpp"

namespace dbdyno::results {

/// Every histogram of every repetition as one histogram_log.
/// Errors, here and below: std::runtime_error naming the histogram that cannot be read.
std::string all_histograms(const run_file& run);

/// A percentile_table for each benchmark and kind, merged over its repetitions, with a name made of both.
/// Shapes: none for benchmarks without histograms. Names are all different.
std::vector<exported_file> merged_histograms(const run_file& run);

}  // namespace dbdyno::results
