#include "results/statistics/holm.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace dbdyno::results {

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double at_least = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    at_least = std::max(at_least, std::min(1.0, static_cast<double>(order.size() - i) * p_values[order[i]]));
    adjusted[order[i]] = at_least;
  }
  return adjusted;
}

}  // namespace dbdyno::results
