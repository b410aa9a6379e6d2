#pragma once

#include <string>
#include <vector>

#include "results/latency_record.hpp"

namespace dbdyno::results {

/// One histogram in a log.
struct log_interval {
  std::string tag{};   ///< without commas, spaces and line breaks
  double start_s = 0;  ///< seconds after the log's start
  double length_s = 0;
  latency_record record{};
};

/// The text of a .hlog file: the intervals in order of their start, each with its histogram, the longest
/// duration in milliseconds.
///
/// Shapes: times count from `date`, in local_time's form; from the epoch if it is in another.
/// Source: HdrHistogram 2.1.12, HistogramLogWriter.java, log format 1.3.
std::string histogram_log(const std::string& date, std::vector<log_interval> intervals);

}  // namespace dbdyno::results
