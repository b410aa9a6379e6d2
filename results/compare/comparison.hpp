#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/compare/contender.hpp"
#include "results/compare/differences.hpp"
#include "results/compare/metric.hpp"
#include "results/statistics/comparison.hpp"

namespace dbdyno::results {

/// A side's figure beside the first side's.
///
/// Units: ratios of this side's figure to the first one's; where a figure is not above 0, as with
/// allocations, plain differences.
struct change {
  bool is_ratio = true;
  double ratio = 1;
  std::optional<double> low{};  ///< at 95 % confidence; absent with a single repetition
  std::optional<double> high{};
  std::optional<double> shift{};  ///< Hodges and Lehmann's
  double p = 1;                   ///< Mann and Whitney's, two-sided
  double adjusted_p = 1;          ///< Holm's, over all changes of the metric
  outcome said = outcome::cannot_tell;
  /// Where it cannot be told: how many repetitions a side would find such a change, or one of the margin if
  /// it is less.
  std::optional<std::size_t> enough_repetitions{};
  bool no_number_would_do = false;  ///< since runs differ too much by themselves
  /// The same for a change of the margin, whatever was found: what to plan the next runs by. Absent where no
  /// number would do, too.
  std::optional<std::size_t> repetitions_for_margin{};
};

/// One side of one cell.
struct compared_side {
  std::size_t side = 0;                ///< of the line_up
  std::optional<double> value{};       ///< of all repetitions that count together; absent if there is none
  std::size_t repetitions = 0;         ///< that count and have the figure
  std::optional<double> normalised{};  ///< value / that of the reference cell of its run
  std::optional<change> against_first{};
  std::string note{};  ///< what does not count, and why
};

struct compared_cell {
  std::string file{};  ///< of which all sides are parts; empty where each is a file
  std::string name{};
  std::vector<compared_side> sides{};  ///< the first one is what the others are compared with
  std::string reference{};             ///< what figures were divided by; empty where by nothing
};

struct metric_comparison {
  const metric* what = nullptr;
  std::size_t family = 0;             ///< changes that Holm's correction is over, those in all files
  std::size_t of_unknown_spread = 0;  ///< of them, those that stand without what is learned from earlier runs
  std::vector<compared_cell> cells{};
};

struct comparison {
  std::vector<std::string> labels{};  ///< of the sides
  std::vector<std::string> files{};   ///< that have parts compared; none where the sides are files
  std::vector<run_difference> differences{};
  std::vector<metric_comparison> metrics{};
  std::vector<std::string> in_one_only{};
  std::vector<std::string> remarks{};
  double margin = 0.05;  ///< changes below it are "the same"
};

struct comparison_settings {
  std::vector<const metric*> metrics{};  ///< empty: the usual ones that the sides have
  double margin = 0.05;
  bool normalise = false;
  /// Whether the sides were recorded apart, so that what differs between any two runs stands beside what was
  /// changed.
  bool apart = true;
  std::vector<run_file> earlier{};  ///< runs to learn that from
};

/// Compares every side of every cell that they have in common with the first one that has it. Each line-up is
/// compared within itself; all have the same sides, and there is one at least.
comparison compare(const std::vector<line_up>& line_ups, const comparison_settings& settings);

/// "faster", "same within 5 %", "cannot tell, 34 repetitions would do"
std::string describe(const change& of, const metric& what, double margin);

/// Whether the change is one for the worse: beyond the noise, and beyond `limit` (0.05 is 5 %).
bool is_regression(const change& of, const metric& what, double limit);

}  // namespace dbdyno::results
