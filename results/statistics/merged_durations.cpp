#include "results/statistics/merged_durations.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "results/histogram.hpp"

namespace dbdyno::results {
namespace {

std::uint64_t rank_of(double percent, std::uint64_t count) noexcept {
  return std::min(histogram::rank_of(percent, count), count);
}

/// How many of the durations are at most `value`.
std::uint64_t count_at_most(const counted_durations& durations, std::uint64_t value) noexcept {
  const auto& values = durations.values;
  const auto after = std::upper_bound(values.begin(), values.end(), value) - values.begin();
  return after == 0 ? 0 : durations.cumulative[static_cast<std::size_t>(after) - 1];
}

}  // namespace

merged_durations::merged_durations(std::vector<counted_durations> repetitions)
    : repetitions_(std::move(repetitions)) {
  std::erase_if(repetitions_, [](const counted_durations& repetition) { return repetition.count() == 0; });
}

std::optional<std::uint64_t> merged_durations::percentile(double percent) const {
  if (repetitions_.empty()) return std::nullopt;
  std::uint64_t all = 0;
  std::uint64_t longest = 0;
  for (const counted_durations& repetition : repetitions_) {
    all += repetition.count();
    longest = std::max(longest, repetition.values.back());
  }
  const std::uint64_t rank = rank_of(percent, all);
  std::uint64_t low = 0;
  std::uint64_t high = longest;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    std::uint64_t at_most = 0;
    for (const counted_durations& repetition : repetitions_) at_most += count_at_most(repetition, middle);
    if (at_most < rank)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::optional<std::uint64_t> merged_durations::supported_percentile(double percent,
                                                                    std::uint64_t beyond) const {
  std::uint64_t all = 0;
  for (const counted_durations& repetition : repetitions_) all += repetition.count();
  const std::uint64_t rank = histogram::rank_of(percent, all);
  if (all < rank || all - rank < beyond) return std::nullopt;
  return percentile(percent);
}

std::uint64_t merged_durations::percentile_of(std::size_t repetition, double percent) const noexcept {
  const auto& [values, cumulative] = repetitions_[repetition];
  const auto found =
      std::lower_bound(cumulative.begin(), cumulative.end(), rank_of(percent, cumulative.back()));
  return values[static_cast<std::size_t>(found - cumulative.begin())];
}

mixed_percentile::mixed_percentile(const merged_durations& of, double percent) : percent_(percent) {
  std::uint64_t low = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t high = 0;
  for (std::size_t r = 0; r < of.repetitions(); ++r) {
    const std::uint64_t value = of.percentile_of(r, percent);
    low = std::min(low, value);
    high = std::max(high, value);
    counts_.push_back(of.repetitions_[r].count());
  }
  // The values next to them, too: ranks are rounded, of each repetition and of the mixture.
  for (const counted_durations& repetition : of.repetitions_) {
    const auto& values = repetition.values;
    auto begin = std::lower_bound(values.begin(), values.end(), low);
    auto end = std::upper_bound(begin, values.end(), high);
    if (begin != values.begin()) --begin;
    if (end != values.end()) ++end;
    values_.insert(values_.end(), begin, end);
  }
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());

  cumulative_.resize(values_.size() * counts_.size());
  for (std::size_t r = 0; r < counts_.size(); ++r) {
    const auto& [values, cumulative] = of.repetitions_[r];
    std::size_t next = 0;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      while (next < values.size() && values[next] <= values_[i]) seen = cumulative[next++];
      cumulative_[i * counts_.size() + r] = seen;
    }
  }
}

std::uint64_t mixed_percentile::of(std::span<const std::uint32_t> weights) const noexcept {
  const auto weigh = [&](const std::uint64_t* counts) {
    std::uint64_t sum = 0;
    for (std::size_t r = 0; r < weights.size(); ++r) sum += weights[r] * counts[r];
    return sum;
  };
  const std::uint64_t all = weigh(counts_.data());
  const std::uint64_t rank = rank_of(percent_, all);
  std::size_t low = 0;
  std::size_t high = values_.size() - 1;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (weigh(&cumulative_[middle * counts_.size()]) < rank)
      low = middle + 1;
    else
      high = middle;
  }
  return values_[low];
}

}  // namespace dbdyno::results
