#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "results/statistics/counted_durations.hpp"

namespace dbdyno::results {

/// The durations of a cell's repetitions on one grid, made once: percentiles of any mixture of repetitions
/// are then found without building a histogram again.
///
/// Units: nanoseconds. Shapes: repetitions without durations are left out.
/// Threads: any number may read.
class merged_durations {
 public:
  explicit merged_durations(std::span<const counted_durations> repetitions);

  std::size_t repetitions() const noexcept { return counts_.size(); }

  /// The percentile of all repetitions together: what their merged histogram says. None when there are none.
  std::optional<std::uint64_t> percentile(double percent) const;
  /// The same, but none where fewer than `beyond` durations come after it in order: it would be a guess.
  std::optional<std::uint64_t> supported_percentile(double percent, std::uint64_t beyond = 10) const;
  /// The same with each repetition counted as often as `weights` says, one for each, which are not all 0.
  std::uint64_t percentile(double percent, std::span<const std::uint32_t> weights) const noexcept;
  /// The percentile of one repetition.
  std::uint64_t percentile_of(std::size_t repetition, double percent) const noexcept;

 private:
  std::vector<std::uint64_t> values_;      ///< ascending, of all repetitions
  std::vector<std::uint64_t> cumulative_;  ///< [value][repetition]: a search reads one value's side by side
  std::vector<std::uint64_t> counts_;      ///< of each repetition
};

}  // namespace dbdyno::results
