#pragma once

#include <string>

#include "results/histogram.hpp"

namespace dbdyno::results {

/// The text of a .hgrm file, as HdrHistogram's plotter reads it: durations in milliseconds, 5 ticks for each
/// half of the distance to 100 %.
///
/// Shapes: as HdrHistogram computes them, all figures come from the buckets, Mean and Max too. A last line of
/// ours, a comment to other readers, has the exact maximum where durations were clamped.
/// Source: HdrHistogram 2.1.12, AbstractHistogram.outputPercentileDistribution and PercentileIterator.
std::string percentile_table(const histogram& durations);

}  // namespace dbdyno::results
