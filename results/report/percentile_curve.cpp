#include "results/report/percentile_curve.hpp"

#include <algorithm>
#include <cmath>

namespace dbdyno::results {
namespace {

constexpr std::uint64_t durations_beyond = 10;

}  // namespace

std::vector<std::uint64_t> percentile_curve(const histogram& durations) {
  std::vector<std::uint64_t> points;
  const std::uint64_t n = durations.count();
  const auto total = static_cast<double>(n);
  std::uint64_t seen = 0;
  std::size_t index = 0;
  for (std::size_t i = 0; i < curve_points; ++i) {
    const double beyond = std::pow(10.0, -static_cast<double>(i) / curve_points_per_decade);
    // A hair less before rounding up: 0.1 of 1,000 is 100 and not 101.
    const auto rank = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::ceil(total * (1 - beyond) - total * 1e-12)));
    if (n < rank + durations_beyond) break;
    while (seen + durations.count_at(index) < rank) seen += durations.count_at(index++);
    points.push_back(histogram::highest_at(index));
  }
  return points;
}

}  // namespace dbdyno::results
