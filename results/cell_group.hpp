#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/run_file.hpp"

namespace dbdyno::results {

/// What may be said of a repetition, or of a cell as a whole.
enum class standing : std::uint8_t {
  unjudged,
  valid,
  suspect,  ///< of a cell: at least one repetition that counts is
  invalid,  ///< of a cell: all that did not fail are; its figures are shown and mean nothing
  failed    ///< of a cell: all repetitions are; there are no figures
};

std::string_view to_string(standing of) noexcept;

/// The repetitions of one benchmark in one file, statistics left out.
struct cell_group {
  struct repetition {
    const row* figures = nullptr;
    const cell* details = nullptr;  ///< none if the file has none
  };

  std::string name;
  std::vector<repetition> repetitions;
};

standing standing_of(const cell_group::repetition& of) noexcept;

/// One group for each name, in the order of the names (comes_before).
/// Lifetime: the groups point into the run. Shapes: cells without a row are not among them.
std::vector<cell_group> groups_of(const run_file& run);

}  // namespace dbdyno::results
