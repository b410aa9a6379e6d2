#include "results/statistics/counted_durations.hpp"

#include <cstddef>

namespace dbdyno::results {

counted_durations count_durations(const histogram& durations) {
  counted_durations out;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < histogram::size; ++i) {
    const std::uint64_t count = durations.count_at(i);
    if (count == 0) continue;
    out.values.push_back(histogram::highest_at(i));
    out.cumulative.push_back(seen += count);
  }
  return out;
}

}  // namespace dbdyno::results
