#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/run_file.hpp"

namespace dbdyno::results {

struct report_input {
  std::string file;  ///< its path, as the user gave it
  run_file run;
  std::vector<std::string> remarks{};  ///< see load_results
};

/// How much of the cells a report shows. Full reports of large files would be slow to open.
struct report_detail {
  std::size_t most_cells = 600;
  bool spread = true;      ///< the repetitions' range around each curve
  bool series = true;      ///< time series
  bool curves = true;      ///< latency against percentile
  std::size_t texts = 20;  ///< reasons a cell, and as many messages
};

/// What the page of a report draws, as JSON: for each file its machine, versions, plan and targets, and for
/// each cell its figures (see cell_summary), histograms reduced to curves.
///
/// Units: nanoseconds and operations per second; figures have 5 significant digits. Shapes: "left_out" says
/// in words what the page lacks because of `detail`.
/// Errors: result_file_error naming the repetition whose histogram cannot be read.
std::string report_data(const std::vector<report_input>& inputs, const report_detail& detail = {});

/// The most detail for which report_data stays below `bytes`, and what it then gives. Cells are cut last.
std::string fitted_report_data(const std::vector<report_input>& inputs, std::size_t bytes);

}  // namespace dbdyno::results
