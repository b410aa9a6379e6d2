#pragma once

#include <cstdint>
#include <vector>

#include "results/histogram.hpp"

namespace dbdyno::results {

/// What of a histogram is not zero, in order.
///
/// Units: nanoseconds. Shapes: both are as long; empty for an empty histogram.
struct counted_durations {
  std::vector<std::uint64_t> values;      ///< the longest duration of each bucket, as percentiles are stated
  std::vector<std::uint64_t> cumulative;  ///< how many durations are at most that long

  std::uint64_t count() const noexcept { return cumulative.empty() ? 0 : cumulative.back(); }
};

counted_durations count_durations(const histogram& durations);

}  // namespace dbdyno::results
