#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "results/statistics/counted_durations.hpp"

namespace dbdyno::results {

/// The durations of a cell's repetitions: percentiles of any mixture of repetitions are found without
/// building a histogram again.
///
/// Units: nanoseconds. Shapes: repetitions without durations are left out.
/// Threads: any number may read.
class merged_durations {
 public:
  explicit merged_durations(std::vector<counted_durations> repetitions);

  std::size_t repetitions() const noexcept { return repetitions_.size(); }

  /// The percentile of all repetitions together: what their merged histogram says. None when there are none.
  std::optional<std::uint64_t> percentile(double percent) const;
  /// The same, but none where fewer than `beyond` durations come after it in order: it would be a guess.
  std::optional<std::uint64_t> supported_percentile(double percent, std::uint64_t beyond = 10) const;
  /// The percentile of one repetition.
  std::uint64_t percentile_of(std::size_t repetition, double percent) const noexcept;

 private:
  friend class mixed_percentile;

  std::vector<counted_durations> repetitions_;
};

/// One percentile of mixtures of repetitions. It lies between the least and the greatest of theirs, so that
/// no more of them is looked at. Allocates at construction only.
class mixed_percentile {
 public:
  /// There are some.
  mixed_percentile(const merged_durations& of, double percent);

  /// With each repetition counted as often as `weights` says, one for each, which are not all 0.
  std::uint64_t of(std::span<const std::uint32_t> weights) const noexcept;

 private:
  double percent_;
  std::vector<std::uint64_t> counts_;      ///< of each repetition
  std::vector<std::uint64_t> values_;      ///< ascending, of all repetitions, those it may be
  std::vector<std::uint64_t> cumulative_;  ///< [value][repetition]: a search reads one value's side by side
};

}  // namespace dbdyno::results
