#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "results/histogram.hpp"
#include "results/statistics/counted_durations.hpp"

namespace dbdyno::results {

/// One histogram as a result file holds it: the buckets, and what they do not tell exactly.
/// Units: nanoseconds.
struct latency_record {
  std::string data{};  ///< see encode_compressed_base64
  std::uint64_t count = 0;
  std::uint64_t max_ns = 0;
  std::uint64_t sum_ns = 0;
  std::uint64_t clamped = 0;  ///< of `count`, those above histogram::highest

  bool operator==(const latency_record&) const = default;
};

/// Errors: as encode_v2.
latency_record to_record(const histogram& durations);

/// The histogram that to_record was given, exactly.
/// Errors: std::runtime_error if the data cannot be read or another figure contradicts it.
histogram to_histogram(const latency_record& record);

/// The same without a histogram, which is large beside what most hold. Errors: as to_histogram.
counted_durations to_counted_durations(const latency_record& record);

/// The counters of a row: p50_ns, p90_ns, p99_ns, p999_ns, max_ns and mean_ns.
///
/// Shapes: a percentile with fewer than 10 durations beyond it is absent; maximum and mean, both exact,
/// need 1.
std::map<std::string, double> latency_counters(const histogram& durations);

/// Whether a counter of this name is a figure of latency_counters or one that another program tells, such as
/// p95_ns, min_ns or stddev_ns. Such figures of several repetitions must not be averaged: what holds for all
/// of them comes from the merged histograms.
bool is_latency_counter(std::string_view name) noexcept;

}  // namespace dbdyno::results
