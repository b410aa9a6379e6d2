#include "results/statistics/merged_durations.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "results/histogram.hpp"

namespace dbdyno::results {
namespace {

/// The first of `values` for which `at_most`, which counts the durations up to the one at an index, reaches
/// the percentile of `all`.
template <class Count>
std::uint64_t search(std::span<const std::uint64_t> values, double percent, std::uint64_t all,
                     Count at_most) noexcept {
  const std::uint64_t rank = std::min(histogram::rank_of(percent, all), all);
  std::size_t low = 0;
  std::size_t high = values.size() - 1;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (at_most(middle) < rank)
      low = middle + 1;
    else
      high = middle;
  }
  return values[low];
}

}  // namespace

merged_durations::merged_durations(std::span<const counted_durations> repetitions) {
  std::vector<const counted_durations*> used;
  for (const counted_durations& repetition : repetitions) {
    if (repetition.count() == 0) continue;
    used.push_back(&repetition);
    counts_.push_back(repetition.count());
    std::vector<std::uint64_t> together;
    together.reserve(values_.size() + repetition.values.size());
    std::set_union(values_.begin(), values_.end(), repetition.values.begin(), repetition.values.end(),
                   std::back_inserter(together));
    values_ = std::move(together);
  }

  cumulative_.resize(values_.size() * used.size());
  for (std::size_t r = 0; r < used.size(); ++r) {
    std::size_t next = 0;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (next < used[r]->values.size() && used[r]->values[next] == values_[i])
        seen = used[r]->cumulative[next++];
      cumulative_[i * used.size() + r] = seen;
    }
  }
}

std::optional<std::uint64_t> merged_durations::percentile(double percent) const {
  if (counts_.empty()) return std::nullopt;
  return percentile(percent, std::vector<std::uint32_t>(counts_.size(), 1));
}

std::optional<std::uint64_t> merged_durations::supported_percentile(double percent,
                                                                    std::uint64_t beyond) const {
  const std::uint64_t all = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  const std::uint64_t rank = histogram::rank_of(percent, all);
  if (all < rank || all - rank < beyond) return std::nullopt;
  return percentile(percent);
}

std::uint64_t merged_durations::percentile(double percent,
                                           std::span<const std::uint32_t> weights) const noexcept {
  const auto weigh = [&](const std::uint64_t* counts) {
    std::uint64_t sum = 0;
    for (std::size_t r = 0; r < weights.size(); ++r) sum += weights[r] * counts[r];
    return sum;
  };
  return search(values_, percent, weigh(counts_.data()),
                [&](std::size_t index) { return weigh(&cumulative_[index * counts_.size()]); });
}

std::uint64_t merged_durations::percentile_of(std::size_t repetition, double percent) const noexcept {
  return search(values_, percent, counts_[repetition],
                [&](std::size_t index) { return cumulative_[index * counts_.size() + repetition]; });
}

}  // namespace dbdyno::results
