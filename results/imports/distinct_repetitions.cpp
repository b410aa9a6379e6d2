#include "results/imports/distinct_repetitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <unordered_map>

#include "results/clean_text.hpp"

namespace dbdyno::results {
namespace {

/// The repetitions of one name.
struct numbering {
  unsigned next = 0;  ///< above all that are in the file
  /// By repetition as it is in the file: the numbers that those after the first get.
  std::map<unsigned, std::vector<unsigned>> further{};
};
using numberings = std::unordered_map<std::string_view, numbering>;

/// The numbers that repetitions get which come again, of which there are some.
class renumbering {
 public:
  explicit renumbering(numberings& names) : names_(names) {}

  unsigned number_of(std::string_view name, unsigned repetition) {
    const std::size_t before = seen_[name][repetition]++;
    if (before == 0) return repetition;
    numbering& of = names_[name];
    std::vector<unsigned>& further = of.further[repetition];
    while (further.size() < before) further.push_back(of.next++);
    return further[before - 1];
  }

 private:
  numberings& names_;
  std::unordered_map<std::string_view, std::map<unsigned, std::size_t>> seen_{};
};

}  // namespace

std::vector<std::string> make_repetitions_distinct(run_file& run) {
  numberings names;
  for (const row& each : run.rows) {
    unsigned& next = names[each.name].next;
    if (!each.kind) next = std::max(next, each.repetition + 1);
  }
  for (const cell& each : run.cells) {
    unsigned& next = names[each.name].next;
    next = std::max(next, each.repetition + 1);
  }

  std::size_t count = 0;
  std::string first;
  renumbering of_rows(names);
  for (row& each : run.rows) {
    if (each.kind) continue;
    const unsigned number = of_rows.number_of(each.name, each.repetition);
    if (number == each.repetition) continue;
    if (count++ == 0) first = each.name;
    each.repetition = number;
  }
  renumbering of_cells(names);
  for (cell& each : run.cells) each.repetition = of_cells.number_of(each.name, each.repetition);
  if (count == 0) return {};
  return {
      fmt::format("{} row{} with the name and repetition of another one, so further repetitions of it; the "
                  "first is {}",
                  count, count == 1 ? "" : "s", clean_text(first))};
}

}  // namespace dbdyno::results
