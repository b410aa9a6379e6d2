#include "results/latency_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "results/hdr_encoding.hpp"

namespace dbdyno::results {
namespace {

struct percentile_key {
  std::string_view name;
  double percent;
};
constexpr percentile_key percentile_keys[] = {
    {"p50_ns", 50}, {"p90_ns", 90}, {"p99_ns", 99}, {"p999_ns", 99.9}};
constexpr std::string_view max_key = "max_ns";
constexpr std::string_view mean_key = "mean_ns";

/// What the buckets of a record tell that it also says itself.
struct bucket_totals {
  std::uint64_t count = 0;
  std::uint64_t at_highest = 0;
  std::size_t last = 0;  ///< the index of the last that is not empty
};

void check(const latency_record& record, const bucket_totals& buckets) {
  const auto expect = [](bool condition, std::string_view figure, std::uint64_t value) {
    if (!condition) throw std::runtime_error(fmt::format("{} {} contradicts the histogram", figure, value));
  };
  const std::size_t last = histogram::index_of(std::min(record.max_ns, histogram::highest));
  expect(record.count == buckets.count, "count", record.count);
  expect(record.clamped <= buckets.at_highest, "clamped", record.clamped);
  expect(last == buckets.last, "max_ns", record.max_ns);
  expect((record.max_ns > histogram::highest) == (record.clamped > 0), "max_ns", record.max_ns);
}

}  // namespace

latency_record to_record(const histogram& durations) {
  return {.data = encode_compressed_base64(durations),
          .count = durations.count(),
          .max_ns = durations.max(),
          .sum_ns = durations.sum(),
          .clamped = durations.clamped()};
}

histogram to_histogram(const latency_record& record) {
  histogram durations = decode_compressed_base64(record.data);
  check(record, {.count = durations.count(),
                 .at_highest = durations.count_at(histogram::index_of(histogram::highest)),
                 .last = histogram::index_of(durations.max())});
  durations.restore_exact(record.max_ns, record.sum_ns, record.clamped);
  return durations;
}

counted_durations to_counted_durations(const latency_record& record) {
  counted_durations out;
  bucket_totals totals;
  const std::vector<bucket_count> buckets = decode_buckets_compressed_base64(record.data);
  out.values.reserve(buckets.size());
  out.cumulative.reserve(buckets.size());
  for (const bucket_count& one : buckets) {
    totals.count += one.times;
    totals.last = one.index;
    if (one.index == histogram::index_of(histogram::highest)) totals.at_highest = one.times;
    out.values.push_back(histogram::highest_at(one.index));
    out.cumulative.push_back(totals.count);
  }
  check(record, totals);
  return out;
}

std::map<std::string, double> latency_counters(const histogram& durations) {
  std::map<std::string, double> counters;
  for (const auto& [name, percent] : percentile_keys) {
    if (const auto value = durations.supported_percentile(percent)) {
      counters.emplace(name, static_cast<double>(*value));
    }
  }
  if (const auto mean = durations.mean()) {
    counters.emplace(max_key, static_cast<double>(durations.max()));
    counters.emplace(mean_key, *mean);
  }
  return counters;
}

bool is_latency_counter(std::string_view name) noexcept {
  constexpr std::string_view service = "service_";
  if (name.starts_with(service)) name.remove_prefix(service.size());
  constexpr std::string_view unit = "_ns";
  if (!name.ends_with(unit)) return false;
  name.remove_suffix(unit.size());
  if (name == "max" || name == "mean" || name == "min" || name == "stddev") return true;
  return name.size() > 1 && name.front() == 'p' &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

}  // namespace dbdyno::results
