#include "results/statistics/hodges_lehmann.hpp"

#include <vector>

#include "results/statistics/moments.hpp"

namespace dbdyno::results {

std::optional<double> hodges_lehmann(std::span<const double> first, std::span<const double> second) {
  std::vector<double> differences;
  differences.reserve(first.size() * second.size());
  for (const double a : first)
    for (const double b : second) differences.push_back(b - a);
  return median(differences);
}

}  // namespace dbdyno::results
