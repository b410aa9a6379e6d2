#include "results/statistics/between_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "results/statistics/moments.hpp"
#include "results/statistics/normal.hpp"
#include "results/statistics/student_t.hpp"

namespace dbdyno::results {
namespace {

constexpr double confidence = 2.0 / 3;

/// The value below which a share `p` of estimates of a variance lies, relative to the variance.
/// Source: E. B. Wilson and M. M. Hilferty, PNAS 17 (1931) 684; at a third good to 3 %.
double variance_quantile(double p, double freedom) noexcept {
  const double ninth = 2 / (9 * freedom);
  const double root = 1 - ninth + normal_quantile(p) * std::sqrt(ninth);
  return root * root * root;
}

}  // namespace

std::optional<between_run_spread> learn_between_runs(std::span<const std::vector<double>> runs) {
  double count = 0;
  double values = 0;
  double squared_sizes = 0;
  double sum = 0;
  for (const auto& run : runs) {
    const auto size = static_cast<double>(run.size());
    count += size > 0;
    values += size;
    squared_sizes += size * size;
    for (const double value : run) sum += value;
  }
  if (count < 2) return std::nullopt;

  const double center = sum / values;
  double within = 0;
  double between = 0;
  for (const auto& run : runs) {
    if (run.empty()) continue;
    const double mean_of_run = *mean(run);
    between += static_cast<double>(run.size()) * (mean_of_run - center) * (mean_of_run - center);
    for (const double value : run) within += (value - mean_of_run) * (value - mean_of_run);
  }
  const double freedom = count - 1;
  const double between_square = between / freedom / variance_quantile(1 - confidence, freedom);
  const double within_square = values > count ? within / (values - count) : 0;
  const double typical_size = (values - squared_sizes / values) / freedom;
  const double variance = std::max(0.0, (between_square - within_square) / typical_size);
  return between_run_spread{std::sqrt(variance), freedom};
}

double between_run_half_width(const between_run_spread& spread) noexcept {
  return t_quantile(0.975, spread.freedom) * std::numbers::sqrt2 * spread.deviation;
}

difference_estimate widen(const difference_estimate& estimate, const between_run_spread& spread) noexcept {
  const double half = between_run_half_width(spread);
  return {estimate.difference, estimate.difference - std::hypot(estimate.difference - estimate.low, half),
          estimate.difference + std::hypot(estimate.high - estimate.difference, half)};
}

}  // namespace dbdyno::results
