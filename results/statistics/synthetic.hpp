#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "results/statistics/normal.hpp"
#include "results/statistics/resampling.hpp"

namespace dbdyno::results {

/// Samples whose truth is known, for tests; the same from one seed everywhere.
class synthetic {
 public:
  explicit synthetic(std::uint64_t seed) : random_(seed) {}

  double normal() { return normal_quantile(random_.share()); }
  /// Exponential with mean 1: skewed.
  double exponential() { return -std::log(random_.share()); }

  /// The logarithms of `size` repetitions about `center`.
  std::vector<double> logarithms(std::size_t size, double center, double deviation) {
    std::vector<double> out(size);
    for (double& value : out) value = center + deviation * normal();
    return out;
  }

  /// The repetitions themselves.
  std::vector<double> sample(std::size_t size, double center, double deviation) {
    std::vector<double> out = logarithms(size, center, deviation);
    for (double& value : out) value = std::exp(value);
    return out;
  }

 private:
  resampling random_;
};

}  // namespace dbdyno::results
