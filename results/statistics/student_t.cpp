#include "results/statistics/student_t.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "results/statistics/normal.hpp"

namespace dbdyno::results {
namespace {

/// From here on Fisher's expansion about the normal quantile is good to 1e-9.
constexpr double nearly_normal = 1e5;

/// gamma(a + 1/2) / gamma(a). Differences of std::lgamma lose digits where `a` is large, and it sets a
/// global.
/// Source: the asymptotic series (DLMF 5.11.13), reached by gamma's recurrence.
double gamma_half_step(double a) noexcept {
  double factor = 1;
  for (; a < 20; ++a) factor *= a / (a + 0.5);
  const double r = 1 / a;
  return factor * std::sqrt(a) *
         (1 + r * (-1.0 / 8 + r * (1.0 / 128 + r * (5.0 / 1024 - r * (21.0 / 32768 + r * 399.0 / 262144)))));
}

/// The continued fraction of the incomplete beta function, by Lentz's method as modified by Thompson and
/// Barnett. Converges fast for x < (a + 1) / (a + b + 2).
/// Source: DLMF 8.17.22.
double beta_fraction(double x, double a, double b) noexcept {
  constexpr double tiny = 1e-300;
  constexpr int steps = 10'000;
  const auto away_from_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m < steps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    const double change = c * d;
    fraction *= change;
    if (std::abs(change - 1) < 1e-15) break;
  }
  return fraction;
}

double density(double t, double freedom) noexcept {
  return gamma_half_step(freedom / 2) / std::sqrt(freedom * std::numbers::pi) *
         std::exp(-(freedom + 1) / 2 * std::log1p(t * t / freedom));
}

}  // namespace

double t_upper_tail(double t, double freedom) noexcept {
  if (t < 0) return 1 - t_upper_tail(-t, freedom);
  // Twice the tail is the incomplete beta function of a and 1/2 at x. What stands before the fraction is
  // symmetric in a and 1/2, but for the divisor.
  const double a = freedom / 2;
  const double square = t * t;
  const double x = freedom / (freedom + square);
  const double front = std::exp(-a * std::log1p(square / freedom)) * std::sqrt(square / (freedom + square)) *
                       gamma_half_step(a) * std::numbers::inv_sqrtpi;
  if (x < (a + 1) / (a + 2.5)) return front * beta_fraction(x, a, 0.5) / a / 2;
  return (1 - front * beta_fraction(square / (freedom + square), 0.5, a) / 0.5) / 2;
}

namespace {

/// The value above which the share `tail`, at most a half, lies.
double quantile_above(double tail, double freedom) noexcept {
  const double z = -normal_quantile(tail);
  if (!std::isfinite(z)) return z;
  // Source: Abramowitz and Stegun, 26.7.5.
  if (freedom >= nearly_normal)
    return z + z * (z * z + 1) / (4 * freedom) +
           z * ((5 * z * z + 16) * z * z + 3) / (96 * freedom * freedom);
  // The distribution is concave here and the normal quantile lies below the one sought, so Newton's steps
  // come up to it and never pass it.
  double t = z;
  for (int step = 0; step < 200; ++step) {
    const double off = (t_upper_tail(t, freedom) - tail) / density(t, freedom);
    t += off;
    if (off <= 1e-12 * t) break;
  }
  return t;
}

}  // namespace

double t_quantile(double p, double freedom) noexcept {
  // 1 - p would lose the digits of a small p.
  return p < 0.5 ? -quantile_above(p, freedom) : quantile_above(1 - p, freedom);
}

double welch_freedom(double variance1, double n1, double variance2, double n2) noexcept {
  const double all = variance1 + variance2;
  if (all <= 0) return n1 + n2 - 2;
  // As shares of the whole, whose squares cannot vanish.
  const double share1 = variance1 / all;
  const double share2 = variance2 / all;
  return 1 / (share1 * share1 / (n1 - 1) + share2 * share2 / (n2 - 1));
}

}  // namespace dbdyno::results
