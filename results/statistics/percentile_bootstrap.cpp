#include "results/statistics/percentile_bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "results/statistics/normal.hpp"
#include "results/statistics/resampling.hpp"
#include "results/statistics/student_t.hpp"

namespace dbdyno::results {
namespace {

double log_of(std::uint64_t duration) noexcept {
  return std::log(static_cast<double>(std::max<std::uint64_t>(1, duration)));
}

std::size_t power(std::size_t base, std::size_t exponent) noexcept {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/// A percentile and how far resamples of the repetitions lie from it, in logarithms.
struct resampled {
  double estimate = 0;
  std::vector<double> deviations;

  /// The square of the standard error.
  double variance() const noexcept {
    double squares = 0;
    for (const double deviation : deviations) squares += deviation * deviation;
    return squares / static_cast<double>(deviations.size());
  }
};

resampled resample(const merged_durations& durations, double percent, std::size_t times, resampling& random) {
  const auto size = static_cast<std::uint32_t>(durations.repetitions());
  // Resamples spread by n - 1 in n of what samples do.
  const double stretch = std::sqrt(size / (size - 1.0));
  resampled out{log_of(*durations.percentile(percent)), {}};
  out.deviations.reserve(times);
  const mixed_percentile mixed(durations, percent);
  std::vector<std::uint32_t> weights(size);
  // Few repetitions have few mixtures, which come up again and again: kept by their weights, read as digits.
  const bool few = size <= 5;
  std::vector<std::optional<double>> known(few ? power(size + 1, size) : 0);
  std::vector<std::size_t> places(size);
  for (std::uint32_t r = 0; few && r < size; ++r) places[r] = power(size + 1, r);
  for (std::size_t i = 0; i < times; ++i) {
    std::fill(weights.begin(), weights.end(), 0U);
    std::size_t which = 0;
    for (std::uint32_t drawn = 0; drawn < size; ++drawn) {
      const std::uint32_t r = random.below(size);
      ++weights[r];
      which += places[r];
    }
    const auto deviation = [&] { return stretch * (log_of(mixed.of(weights)) - out.estimate); };
    if (few && !known[which]) known[which] = deviation();
    out.deviations.push_back(few ? *known[which] : deviation());
  }
  return out;
}

}  // namespace

std::optional<difference_estimate> bootstrap_percentile(const merged_durations& first,
                                                        const merged_durations& second, double percent,
                                                        const bootstrap_options& options) {
  if (first.repetitions() < 2 || second.repetitions() < 2) return std::nullopt;
  resampling random(options.seed);
  const resampled a = resample(first, percent, options.resamples, random);
  const resampled b = resample(second, percent, options.resamples, random);
  const double difference = b.estimate - a.estimate;
  const auto beyond = static_cast<std::size_t>(0.025 * static_cast<double>(options.resamples + 1));
  if (beyond < 1) return std::nullopt;

  std::vector<double> deviations(options.resamples);
  for (std::size_t i = 0; i < deviations.size(); ++i) deviations[i] = b.deviations[i] - a.deviations[i];
  const auto low = deviations.begin() + static_cast<std::ptrdiff_t>(beyond) - 1;
  const auto high = deviations.end() - static_cast<std::ptrdiff_t>(beyond);
  std::nth_element(deviations.begin(), low, deviations.end());
  std::nth_element(low + 1, high, deviations.end());
  const double freedom = welch_freedom(a.variance(), static_cast<double>(first.repetitions()), b.variance(),
                                       static_cast<double>(second.repetitions()));
  const double stretch = t_quantile(0.975, freedom) / normal_quantile(0.975);
  return difference_estimate{difference, difference + stretch * std::min(0.0, *low),
                             difference + stretch * std::max(0.0, *high)};
}

}  // namespace dbdyno::results
