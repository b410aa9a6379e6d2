#include "results/statistics/normal.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace dbdyno::results {

double normal_cdf(double z) noexcept {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

double normal_quantile(double p) noexcept {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (p > 0.5) return -normal_quantile(1 - p);
  if (p == 0) return -std::numeric_limits<double>::infinity();
  // Source: Abramowitz and Stegun, 26.2.23, good to 4.5e-4; three of Halley's steps make that exact.
  const double t = std::sqrt(-2 * std::log(p));
  double z =
      (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (int step = 0; step < 3; ++step) {
    const double density = std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    if (density == 0) break;
    const double off = (normal_cdf(z) - p) / density;
    z -= off / (1 + z * off / 2);
  }
  return z;
}

}  // namespace dbdyno::results
