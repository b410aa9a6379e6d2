#include "results/statistics/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "results/statistics/hodges_lehmann.hpp"
#include "results/statistics/moments.hpp"
#include "results/statistics/percentile_bootstrap.hpp"

namespace dbdyno::results {
namespace {

using sample = std::span<const double>;

std::vector<double> logarithms(sample values) {
  std::vector<double> out;
  out.reserve(values.size());
  for (const double value : values) out.push_back(std::log(value));
  return out;
}

void set_range(two_sample_comparison& comparison, const std::optional<difference_estimate>& estimate,
               const std::optional<between_run_spread>& between) {
  if (!estimate) return;
  const difference_estimate range = between ? widen(*estimate, *between) : *estimate;
  comparison.low = comparison.ratios ? std::exp(range.low) : range.low;
  comparison.high = comparison.ratios ? std::exp(range.high) : range.high;
}

/// What depends on the order and the spread of the repetitions alone; of logarithms.
two_sample_comparison compare_logarithms(sample first, sample second) {
  two_sample_comparison out;
  out.shift = std::exp(*hodges_lehmann(first, second));
  out.test = mann_whitney(first, second);
  out.noise = pooled_noise(first, second);
  return out;
}

two_sample_comparison compare_differences(sample first, sample second, const comparison_options& options) {
  two_sample_comparison out;
  out.ratios = false;
  out.first = *mean(first);
  out.second = *mean(second);
  out.estimate = out.second - out.first;
  out.shift = *hodges_lehmann(first, second);
  out.test = mann_whitney(first, second);
  out.noise = pooled_noise(first, second);
  if (out.first == 0)
    out.noise.reset();
  else if (out.noise)
    out.noise->deviation /= std::abs(out.first);
  // A spread of logarithms is one of values relative to their size.
  auto between = options.between;
  if (between) between->deviation *= std::max(std::abs(out.first), std::abs(out.second));
  set_range(out, bootstrap_difference(first, second, options.bootstrap), between);
  return out;
}

bool positive(sample values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

}  // namespace

std::optional<two_sample_comparison> compare_samples(sample first, sample second,
                                                     const comparison_options& options) {
  if (first.empty() || second.empty()) return std::nullopt;
  if (!positive(first) || !positive(second)) return compare_differences(first, second, options);
  const std::vector<double> a = logarithms(first);
  const std::vector<double> b = logarithms(second);
  two_sample_comparison out = compare_logarithms(a, b);
  const double mean_a = *mean(a);
  const double mean_b = *mean(b);
  out.first = std::exp(mean_a);
  out.second = std::exp(mean_b);
  out.estimate = std::exp(mean_b - mean_a);
  set_range(out, bootstrap_difference(a, b, options.bootstrap), options.between);
  return out;
}

std::optional<two_sample_comparison> compare_percentiles(const merged_durations& first,
                                                         const merged_durations& second, double percent,
                                                         const comparison_options& options) {
  if (first.repetitions() == 0 || second.repetitions() == 0) return std::nullopt;
  const auto each = [percent](const merged_durations& durations) {
    std::vector<double> out;
    for (std::size_t i = 0; i < durations.repetitions(); ++i)
      out.push_back(std::log(std::max(1.0, static_cast<double>(durations.percentile_of(i, percent)))));
    return out;
  };
  two_sample_comparison out = compare_logarithms(each(first), each(second));
  out.first = static_cast<double>(*first.percentile(percent));
  out.second = static_cast<double>(*second.percentile(percent));
  out.estimate = std::max(1.0, out.second) / std::max(1.0, out.first);
  set_range(out, bootstrap_percentile(first, second, percent, options.bootstrap), options.between);
  return out;
}

outcome decide(const two_sample_comparison& comparison, double adjusted_p, double limit,
               double level) noexcept {
  if (!comparison.low || !comparison.high) return outcome::cannot_tell;
  const double none = comparison.ratios ? 1 : 0;
  const bool beyond_chance = adjusted_p < level;
  if (beyond_chance && *comparison.low > none) return outcome::higher;
  if (beyond_chance && *comparison.high < none) return outcome::lower;
  const double size = limit * std::abs(comparison.first);
  const double lowest = comparison.ratios ? 1 / (1 + limit) : -size;
  const double highest = comparison.ratios ? 1 + limit : size;
  return *comparison.low >= lowest && *comparison.high <= highest ? outcome::same : outcome::cannot_tell;
}

}  // namespace dbdyno::results
