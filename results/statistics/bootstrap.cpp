#include "results/statistics/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "results/statistics/moments.hpp"
#include "results/statistics/resampling.hpp"
#include "results/statistics/student_t.hpp"

namespace dbdyno::results {
namespace {

/// A mean and the square of its standard error.
struct known_mean {
  double mean = 0;
  double variance = 0;
};

/// A sample about its mean, to be resampled.
class centered {
 public:
  explicit centered(std::span<const double> values) : values_(values.begin(), values.end()) {
    const double center = *mean(values);
    double squares = 0;
    for (double& value : values_) {
      value -= center;
      squares += value * value;
    }
    // What rounding leaves of equal values is no spread.
    least_ = squares * 1e-12;
  }

  known_mean resample(resampling& random) const noexcept {
    const auto size = static_cast<std::uint32_t>(values_.size());
    double sum = 0;
    double squares = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      const double value = values_[random.below(size)];
      sum += value;
      squares += value * value;
    }
    const double n = size;
    const double spread = squares - sum * sum / n;
    return {sum / n, spread > least_ ? spread / (n - 1) / n : 0};
  }

 private:
  std::vector<double> values_;
  double least_ = 0;
};

known_mean mean_of(std::span<const double> values) {
  const double deviation = *standard_deviation(values);
  return {*mean(values), deviation * deviation / static_cast<double>(values.size())};
}

}  // namespace

std::optional<difference_estimate> welch_difference(std::span<const double> first,
                                                    std::span<const double> second) {
  if (first.size() < 2 || second.size() < 2) return std::nullopt;
  const known_mean a = mean_of(first);
  const known_mean b = mean_of(second);
  const double difference = b.mean - a.mean;
  const double variance = a.variance + b.variance;
  if (variance == 0) return difference_estimate{difference, difference, difference};
  const double freedom = welch_freedom(a.variance, static_cast<double>(first.size()), b.variance,
                                       static_cast<double>(second.size()));
  const double half = t_quantile(0.975, freedom) * std::sqrt(variance);
  return difference_estimate{difference, difference - half, difference + half};
}

std::optional<difference_estimate> bootstrap_difference(std::span<const double> first,
                                                        std::span<const double> second,
                                                        const bootstrap_options& options) {
  const auto welch = welch_difference(first, second);
  if (!welch || std::min(first.size(), second.size()) < 4 || welch->low == welch->high) return welch;

  resampling random(options.seed);
  const centered a(first);
  const centered b(second);
  std::vector<double> studentised(options.resamples);
  for (double& t : studentised) {
    const known_mean of_a = a.resample(random);
    const known_mean of_b = b.resample(random);
    const double difference = of_b.mean - of_a.mean;
    const double error = std::sqrt(of_a.variance + of_b.variance);
    t = error > 0 ? difference / error : std::copysign(std::numeric_limits<double>::infinity(), difference);
  }
  const auto beyond = static_cast<std::ptrdiff_t>(0.025 * static_cast<double>(options.resamples + 1));
  if (beyond < 1) return welch;
  const auto low = studentised.begin() + beyond - 1;
  const auto high = studentised.end() - beyond;
  std::nth_element(studentised.begin(), low, studentised.end());
  std::nth_element(low + 1, high, studentised.end());
  if (!std::isfinite(*low) || !std::isfinite(*high)) return welch;
  const double error = std::sqrt(mean_of(first).variance + mean_of(second).variance);
  return difference_estimate{welch->difference, welch->difference - *high * error,
                             welch->difference - *low * error};
}

}  // namespace dbdyno::results
