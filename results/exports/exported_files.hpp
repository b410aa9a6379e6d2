#pragma once

#include <string>
#include <vector>

#include "results/exports/export_options.hpp"
#include "results/run_file.hpp"

namespace dbdyno::results {

struct exported_file {
  std::string name{};
  std::string text{};
};

/// What dbdyno-export writes for a run: a .hlog file named like the result file with every histogram of every
/// repetition, and a .hgrm file for each benchmark and kind, merged over its repetitions.
///
/// Shapes: none for benchmarks without histograms. Names are plain file names, all different.
/// Errors: result_file_error naming the histogram that cannot be read.
std::vector<exported_file> exported_files(const run_file& run, const export_options& options);

}  // namespace dbdyno::results
