#include "results/exports/percentile_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace dbdyno::results {
namespace {

constexpr double ns_per_ms = 1e6;
constexpr int ticks_per_half_distance = 5;
constexpr std::size_t half_bucket = 1024;
constexpr std::size_t buckets = histogram::size / half_bucket - 1;

double next_level(double level) {
  const double halvings = std::floor(std::log(100 / (100 - level)) / std::log(2.0)) + 1;
  return level + 100 / (ticks_per_half_distance * std::exp2(halvings));
}

struct spread {
  double mean = 0;
  double deviation = 0;
};

template <class Visit>
void for_each_bucket(const histogram& durations, Visit visit) {
  for (std::size_t index = 0; index < histogram::size; ++index) {
    if (durations.count_at(index) != 0) visit(index, durations.count_at(index));
  }
}

spread spread_of(const histogram& durations) {
  const auto n = static_cast<double>(durations.count());
  if (n == 0) return {};
  double sum = 0;
  for_each_bucket(durations, [&](std::size_t index, std::uint64_t count) {
    sum += static_cast<double>(histogram::middle_at(index)) * static_cast<double>(count);
  });
  const double mean = sum / n;
  double squares = 0;
  for_each_bucket(durations, [&](std::size_t index, std::uint64_t count) {
    const double distance = static_cast<double>(histogram::middle_at(index)) - mean;
    squares += distance * distance * static_cast<double>(count);
  });
  return {mean, std::sqrt(squares / n)};
}

}  // namespace

std::string percentile_table(const histogram& durations) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{:>12} {:>14} {:>10} {:>14}\n\n", "Value", "Percentile", "TotalCount",
                 "1/(1-Percentile)");
  const std::uint64_t total = durations.count();
  std::uint64_t seen = 0;
  double level = 0;
  double longest = 0;
  for_each_bucket(durations, [&](std::size_t index, std::uint64_t count) {
    seen += count;
    longest = static_cast<double>(histogram::highest_at(index)) / ns_per_ms;
    const double reached = 100.0 * static_cast<double>(seen) / static_cast<double>(total);
    while (level <= reached && level < 100) {
      fmt::format_to(out, "{:12.3f} {:.12f} {:10} {:14.2f}\n", longest, level / 100, seen,
                     1 / (1 - level / 100));
      const double next = next_level(level);
      // Counts beyond a double's 53 bits reach 100 % before the last bucket, where steps vanish.
      const bool advances = next > level;
      level = next;
      if (seen == total || !advances) break;
    }
  });
  if (total != 0) fmt::format_to(out, "{:12.3f} {:.12f} {:10}\n", longest, 1.0, total);

  const auto [mean, deviation] = spread_of(durations);
  fmt::format_to(out, "#[Mean    = {:12.3f}, StdDeviation   = {:12.3f}]\n", mean / ns_per_ms,
                 deviation / ns_per_ms);
  fmt::format_to(out, "#[Max     = {:12.3f}, Total count    = {:12}]\n", longest, total);
  fmt::format_to(out, "#[Buckets = {:12}, SubBuckets     = {:12}]\n", buckets, 2 * half_bucket);
  if (durations.clamped() != 0) {
    fmt::format_to(out, "#[Clamped = {:12}, exact maximum  = {:12.3f}]\n", durations.clamped(),
                   static_cast<double>(durations.max()) / ns_per_ms);
  }
  return fmt::to_string(text);
}

}  // namespace dbdyno::results
