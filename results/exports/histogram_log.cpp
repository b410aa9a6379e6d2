#include "results/exports/histogram_log.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/local_time.hpp"

namespace dbdyno::results {
namespace {

constexpr double ns_per_ms = 1e6;

}  // namespace

std::string histogram_log(const std::string& date, std::vector<log_interval> intervals) {
  std::stable_sort(intervals.begin(), intervals.end(),
                   [](const log_interval& a, const log_interval& b) { return a.start_s < b.start_s; });
  std::string text = "#[Logged by dbdyno-export]\n#[Histogram log format version 1.3]\n";
  if (const auto start = parse_local_time(date)) {
    text += fmt::format("#[StartTime: {}.000 (seconds since epoch), {}]\n", *start, date);
    text += fmt::format("#[BaseTime: {}.000 (seconds since epoch)]\n", *start);
  }
  text += "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n";
  for (const auto& interval : intervals) {
    text += fmt::format("Tag={},{:.3f},{:.3f},{:.3f},{}\n", interval.tag, interval.start_s, interval.length_s,
                        static_cast<double>(interval.record.max_ns) / ns_per_ms, interval.record.data);
  }
  return text;
}

}  // namespace dbdyno::results
