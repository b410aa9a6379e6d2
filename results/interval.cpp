#include "results/interval.hpp"

#include <cmath>
#include <cstddef>
#include <iterator>

#include "results/statistics.hpp"

namespace dbdyno::results {
namespace {

/// The 97.5th percentile of Student's t by degrees of freedom.
/// Source: W. S. Gosset's distribution as tabulated everywhere; from 31 on Fisher's expansion, good to 0.001.
double t_quantile(std::size_t freedom) noexcept {
  constexpr double table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                              2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                              2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  if (freedom <= std::size(table)) return table[freedom - 1];
  constexpr double z = 1.959964;
  return z + (z * z * z + z) / (4 * static_cast<double>(freedom));
}

}  // namespace

std::optional<interval_estimate> mean_interval(std::span<const double> values) {
  const auto deviation = standard_deviation(values);
  if (!deviation) return std::nullopt;
  const double center = *mean(values);
  const double half =
      t_quantile(values.size() - 1) * *deviation / std::sqrt(static_cast<double>(values.size()));
  return interval_estimate{center, center - half, center + half};
}

}  // namespace dbdyno::results
