#include "results/statistics/hodges_lehmann.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace dbdyno::results {
namespace {

/// All differences of two sorted samples, none of which is kept: there are as many as pairs.
class pairwise_differences {
 public:
  pairwise_differences(std::span<const double> first, std::span<const double> second)
      : first_(first.begin(), first.end()), second_(second.begin(), second.end()) {
    std::sort(first_.begin(), first_.end());
    std::sort(second_.begin(), second_.end());
  }

  std::size_t size() const noexcept { return first_.size() * second_.size(); }

  /// The k-th least one, from 0: of all doubles the least that k + 1 differences do not exceed.
  double kth(std::size_t k) const noexcept {
    std::int64_t low = rank_of(second_.front() - first_.back());
    std::int64_t high = rank_of(second_.back() - first_.front());
    while (low < high) {
      const std::int64_t middle = std::midpoint(low, high);
      if (count_up_to(double_at(middle)) > k)
        high = middle;
      else
        low = middle + 1;
    }
    return double_at(low);
  }

 private:
  /// The place of a double among all of them, in their order.
  static std::int64_t rank_of(double value) noexcept {
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
  }
  static double double_at(std::int64_t rank) noexcept {
    return std::bit_cast<double>(rank < 0 ? std::numeric_limits<std::int64_t>::min() - rank : rank);
  }

  std::size_t count_up_to(double limit) const noexcept {
    std::size_t count = 0;
    std::size_t below = 0;  // of the second sample; grows with the value of the first
    for (const double a : first_) {
      while (below < second_.size() && second_[below] - a <= limit) ++below;
      count += below;
    }
    return count;
  }

  std::vector<double> first_;
  std::vector<double> second_;
};

}  // namespace

std::optional<double> hodges_lehmann(std::span<const double> first, std::span<const double> second) {
  if (first.empty() || second.empty()) return std::nullopt;
  const pairwise_differences differences(first, second);
  const std::size_t middle = differences.size() / 2;
  const double upper = differences.kth(middle);
  return differences.size() % 2 != 0 ? upper : std::midpoint(differences.kth(middle - 1), upper);
}

}  // namespace dbdyno::results
