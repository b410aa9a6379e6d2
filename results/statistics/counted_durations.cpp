#include "results/statistics/counted_durations.hpp"

#include <algorithm>
#include <cstddef>

namespace dbdyno::results {

counted_durations count_durations(const histogram& durations) {
  counted_durations out;
  std::uint64_t seen = 0;
  const std::size_t last = histogram::index_of(std::min(durations.max(), histogram::highest));
  for (std::size_t i = 0; i <= last; ++i) {
    const std::uint64_t count = durations.count_at(i);
    if (count == 0) continue;
    out.values.push_back(histogram::highest_at(i));
    out.cumulative.push_back(seen += count);
  }
  return out;
}

}  // namespace dbdyno::results
