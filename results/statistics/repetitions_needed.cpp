#include "results/statistics/repetitions_needed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "results/statistics/mann_whitney.hpp"
#include "results/statistics/moments.hpp"
#include "results/statistics/normal.hpp"
#include "results/statistics/student_t.hpp"

namespace dbdyno::results {
namespace {

constexpr std::size_t too_many = 1'000'000'000;

/// The multiple of the estimated standard error that a change must be of to be found with this power on
/// average over the estimates: where normal_cdf(multiple * W - z), W the ratio of the estimated to the true
/// deviation, is `power` on average.
double find_multiple_of_error(double z, double power, double freedom) {
  // The density of log W, in even steps that reach as far as it matters.
  constexpr int steps = 96;
  const double from = -21 / freedom - 5 / std::sqrt(freedom);
  const double to = 5 / std::sqrt(freedom);
  std::array<double, steps + 1> ratio{};
  std::array<double, steps + 1> weight{};
  double all = 0;
  for (std::size_t i = 0; i <= steps; ++i) {
    const double x = from + (to - from) * static_cast<double>(i) / steps;
    ratio[i] = std::exp(x);
    weight[i] = std::exp(freedom * (x + (1 - ratio[i] * ratio[i]) / 2));
    all += weight[i];
  }
  const auto mean_power = [&](double multiple) {
    double sum = 0;
    for (std::size_t i = 0; i <= steps; ++i) sum += weight[i] * normal_cdf(multiple * ratio[i] - z);
    return sum / all;
  };
  double low = z;
  double high = 2 * (z + 2);
  while (mean_power(high) < power) high *= 2;
  while (high - low > 1e-4 * high) {
    const double middle = (low + high) / 2;
    (mean_power(middle) < power ? low : high) = middle;
  }
  return high;
}

/// The same. The cells of one comparison mostly ask for one and the same, and it takes long to find.
double multiple_of_error(double z, double power, double freedom) {
  struct answer {
    double z, power, freedom, multiple;
  };
  thread_local std::optional<answer> last;
  if (!last || last->z != z || last->power != power || last->freedom != freedom)
    last = {z, power, freedom, find_multiple_of_error(z, power, freedom)};
  return last->multiple;
}

/// From how many repetitions on the exact test can have a p below the level at all. 4 at least: with fewer
/// the interval cannot be studentised.
std::size_t least_repetitions(double level) noexcept {
  std::size_t least = 4;
  while (least_p(least, least) >= level) ++least;
  return least;
}

/// By how much more, relatively, small samples need than the limit for large ones: ranks are few, and
/// resamples of few values have long tails. Found by simulation: the change that is found in 95 % of pairs,
/// for levels of 0.05, 0.05 / 8 and 0.001 and 4 to 80 repetitions, lies at or below this.
double small_sample_excess(double size, double pole) noexcept {
  return 2 / (size - pole);
}

}  // namespace

std::optional<noise_estimate> pooled_noise(std::span<const double> first, std::span<const double> second) {
  double squares = 0;
  double freedom = 0;
  for (const auto values : {first, second}) {
    const auto deviation = standard_deviation(values);
    if (!deviation) continue;
    squares += *deviation * *deviation * static_cast<double>(values.size() - 1);
    freedom += static_cast<double>(values.size() - 1);
  }
  if (freedom == 0) return std::nullopt;
  return noise_estimate{std::sqrt(squares / freedom), freedom};
}

std::optional<std::size_t> repetitions_needed(const noise_estimate& noise, const wanted_finding& wanted,
                                              const std::optional<between_run_spread>& between) {
  const double change = std::log1p(wanted.change);
  const double z_level = normal_quantile(1 - wanted.level / 2);
  const double z_power = normal_quantile(wanted.power);
  const double efficiency = 3 / std::numbers::pi;
  const double deviation =
      noise.deviation * multiple_of_error(z_level, wanted.power, noise.freedom) / (z_level + z_power);
  const double half_width = between ? between_run_half_width(*between) : 0;
  const double run_variance = between ? 2 * between->deviation * between->deviation : 0;
  const std::size_t least = least_repetitions(wanted.level);
  // Of the fewest repetitions, and so of none the quantile is larger.
  const double largest_quantile = t_quantile(0.975, 2 * static_cast<double>(least) - 2);
  const auto would_do = [&](std::size_t n) {
    if (n < least) return false;
    const auto size = static_cast<double>(n);
    const double error = deviation * std::sqrt(2 / size);
    const double error_of_test = error / std::sqrt(efficiency);
    const double by_test =
        error_of_test *
        (z_level + (z_level + z_power) * small_sample_excess(size, static_cast<double>(least) - 3));
    const auto by_interval = [&](double quantile) {
      return std::hypot(quantile * error * (1 + small_sample_excess(size, 2.5)), half_width);
    };
    const double to_spare = change - z_power * std::hypot(error_of_test, std::sqrt(run_variance));
    // Quantiles take long, and mostly either answer is known without.
    if (wanted.change <= 0 || by_test > to_spare) return false;
    return by_interval(largest_quantile) <= to_spare ||
           by_interval(t_quantile(0.975, 2 * size - 2)) <= to_spare;
  };

  std::size_t enough = least;
  while (!would_do(enough)) {
    if (enough > too_many) return std::nullopt;
    enough *= 2;
  }
  std::size_t too_few = enough == least ? least - 1 : enough / 2;
  while (enough - too_few > 1) {
    const std::size_t middle = too_few + (enough - too_few) / 2;
    (would_do(middle) ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace dbdyno::results
