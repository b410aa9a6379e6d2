#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace dbdyno::results {

/// How many letters must be put in, left out or replaced to make one of the other.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// The known name that was probably meant: the first of those with the fewest slips, two at most and one for
/// each three letters. Empty where none is so near.
inline std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  std::string out;
  std::size_t least = std::min<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& one : known) {
    const std::size_t distance = edit_distance(name, one);
    if (distance >= least) continue;
    least = distance;
    out = one;
  }
  return out;
}

}  // namespace dbdyno::results
