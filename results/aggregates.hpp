#pragma once

#include <vector>

#include "results/run_file.hpp"

namespace dbdyno::results {

/// The repetitions, those of a name together and in order, each group followed by its mean, median, stddev
/// and cv.
///
/// Shapes: names keep the order in which they first appear; statistics among the rows given are dropped and
/// made anew. Rows with an error do not count. Fewer than two others: no statistics. A time or counter has a
/// statistic only if every counted row has it as a finite number, since a mean over some repetitions would
/// pass for one over all; a cv only if its mean is not 0. Percentiles, maximum and mean of the latency
/// (is_latency_counter) have no mean and no median, since those of all repetitions together come from the
/// merged histograms; their stddev and cv say how far the repetitions differ.
std::vector<row> with_aggregates(std::vector<row> rows);

}  // namespace dbdyno::results
