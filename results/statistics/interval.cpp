#include "results/statistics/interval.hpp"

#include <cmath>

#include "results/statistics/moments.hpp"
#include "results/statistics/student_t.hpp"

namespace dbdyno::results {

std::optional<interval_estimate> mean_interval(std::span<const double> values) {
  const auto deviation = standard_deviation(values);
  if (!deviation) return std::nullopt;
  const double center = *mean(values);
  const double half = t_quantile(0.975, static_cast<double>(values.size() - 1)) * *deviation /
                      std::sqrt(static_cast<double>(values.size()));
  return interval_estimate{center, center - half, center + half};
}

}  // namespace dbdyno::results
