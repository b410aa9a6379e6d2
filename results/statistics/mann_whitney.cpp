#include "results/statistics/mann_whitney.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "results/statistics/normal.hpp"

namespace dbdyno::results {
namespace {

/// Up to here the ways to deal the ranks out, at most 1.3e14, are counted exactly by a double.
constexpr std::size_t exact_up_to = 50;

/// The values of both samples in order, told apart by what they rank, in halves: ties share a mid-rank.
struct ranked {
  std::vector<std::uint32_t> doubled;  ///< twice the rank of each value, ascending
  std::uint32_t first_sum = 0;         ///< of those of the first sample
  double tied = 0;                     ///< sum of t^3 - t over groups of t equal values
};

ranked rank(std::span<const double> first, std::span<const double> second) {
  std::vector<std::pair<double, bool>> all;
  all.reserve(first.size() + second.size());
  for (const double value : first) all.emplace_back(value, true);
  for (const double value : second) all.emplace_back(value, false);
  std::sort(all.begin(), all.end());
  ranked out;
  out.doubled.resize(all.size());
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].first == all[begin].first) ++end;
    // The mean of the ranks begin + 1 to end.
    const auto doubled = static_cast<std::uint32_t>(begin + 1 + end);
    for (std::size_t i = begin; i < end; ++i) {
      out.doubled[i] = doubled;
      if (all[i].second) out.first_sum += doubled;
    }
    const auto equal = static_cast<double>(end - begin);
    out.tied += equal * equal * equal - equal;
  }
  return out;
}

/// Twice the smaller tail among all ways to deal `size` of the ranks to a sample whose rank sum is `sum`.
double exact_p(const std::vector<std::uint32_t>& doubled, std::size_t size, std::uint32_t sum) {
  const std::size_t sums =
      1 + std::accumulate(doubled.end() - static_cast<std::ptrdiff_t>(size), doubled.end(), std::size_t{0});
  // ways[k * sums + s]: how many ways there are to choose k of the ranks seen so far with the sum s.
  std::vector<double> ways((size + 1) * sums);
  ways[0] = 1;
  std::size_t seen = 0;
  for (const std::uint32_t rank : doubled) {
    ++seen;
    for (std::size_t k = std::min(seen, size); k > 0; --k) {
      const double* fewer = &ways[(k - 1) * sums];
      double* here = &ways[k * sums];
      for (std::size_t s = rank; s < sums; ++s) here[s] += fewer[s - rank];
    }
  }
  const auto begin = ways.end() - static_cast<std::ptrdiff_t>(sums);
  const double all = std::accumulate(begin, ways.end(), 0.0);
  const double below = std::accumulate(begin, begin + sum + 1, 0.0);
  const double above = std::accumulate(begin + sum, ways.end(), 0.0);
  return std::min(1.0, 2 * std::min(below, above) / all);
}

double approximate_p(double u, double n1, double n2, double tied) noexcept {
  const double n = n1 + n2;
  const double variance = n1 * n2 / 12 * (n + 1 - tied / (n * (n - 1)));
  if (variance <= 0) return 1;
  const double away = std::max(0.0, std::abs(u - n1 * n2 / 2) - 0.5);
  return std::min(1.0, 2 * normal_cdf(-away / std::sqrt(variance)));
}

}  // namespace

rank_test mann_whitney(std::span<const double> first, std::span<const double> second) {
  if (first.empty() || second.empty()) return {};
  const ranked ranks = rank(first, second);
  const auto n1 = static_cast<double>(first.size());
  const auto n2 = static_cast<double>(second.size());
  rank_test out;
  out.u = ranks.first_sum / 2.0 - n1 * (n1 + 1) / 2;
  if (first.size() + second.size() > exact_up_to) {
    out.p = approximate_p(out.u, n1, n2, ranks.tied);
    return out;
  }
  // The smaller sample's ranks are fewer to deal out.
  const std::uint32_t all = std::accumulate(ranks.doubled.begin(), ranks.doubled.end(), std::uint32_t{0});
  out.p = first.size() <= second.size() ? exact_p(ranks.doubled, first.size(), ranks.first_sum)
                                        : exact_p(ranks.doubled, second.size(), all - ranks.first_sum);
  return out;
}

double least_p(std::size_t first, std::size_t second) noexcept {
  // 2 in as many as there are ways to choose the smaller sample from both.
  const auto smaller = static_cast<double>(std::min(first, second));
  const auto larger = static_cast<double>(std::max(first, second));
  double p = 2;
  for (double i = 1; i <= smaller && p > 0; ++i) p *= i / (larger + i);
  return std::min(1.0, p);
}

}  // namespace dbdyno::results
