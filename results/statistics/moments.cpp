#include "results/statistics/moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace dbdyno::results {

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> median(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 != 0) return sorted[middle];
  return std::midpoint(sorted[middle - 1], sorted[middle]);
}

std::optional<double> minimum(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  return *std::min_element(values.begin(), values.end());
}

std::optional<double> maximum(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  return *std::max_element(values.begin(), values.end());
}

std::optional<double> standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  // Two passes: the sum of squares alone cancels out where the spread is small beside the mean.
  const double center = *mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<double> coefficient_of_variation(std::span<const double> values) {
  const auto deviation = standard_deviation(values);
  if (!deviation) return std::nullopt;
  const double center = *mean(values);
  if (center == 0) return std::nullopt;
  return *deviation / std::abs(center);
}

}  // namespace dbdyno::results
