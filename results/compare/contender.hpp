#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/run_file.hpp"

namespace dbdyno::results {

/// One cell of one side of a comparison.
///
/// Lifetime: points into the run it was made from.
struct cell_sample {
  /// The repetitions that count: neither errored nor judged invalid. A cell of which a file has statistics
  /// only is one row, its mean.
  std::vector<const row*> rows{};
  /// Their latencies, one for each of `rows`; empty unless all have them.
  std::vector<const latency_record*> latencies{};
  std::size_t errored = 0;
  std::size_t invalid = 0;
  std::size_t suspect = 0;  ///< of `rows`
  std::string why_not{};    ///< the first error or reason of a row that does not count
  bool only_statistics = false;
};

/// One side of a comparison: a file, or a part of one.
struct contender {
  std::string label{};
  std::string file{};                          ///< the label of the file it is, or is a part of
  std::map<std::string, cell_sample> cells{};  ///< by the name that sides have in common
};

/// What sides have in common, in the order of the names, numbers within them as numbers.
struct line_up {
  std::string file{};  ///< the label of the file that all sides are parts of; empty where each is a file
  std::vector<contender> sides{};
  std::vector<std::string> cells{};        ///< that two sides at least have
  std::vector<std::string> in_one_only{};  ///< "name (label)"
  std::vector<std::string> remarks{};      ///< what was left out, and why
};

/// A file each is a side. labels: one for each run.
/// Lifetime: the runs outlive what is made of them, here and below.
line_up side_by_side(const std::vector<run_file>& runs, const std::vector<std::string>& labels);

/// A line-up for each file, within which the sides are the values that one part of the names has: "driver"
/// (storage/driver), "storage", "mode", "workload", or a parameter such as "transport", "conns", "depth". All
/// line-ups have the same sides in the same order, those that any of the files has. The controls (null, echo)
/// are no sides of driver and storage, unless `baseline` is one of them. labels: one for each run.
/// Errors: std::invalid_argument where no name in any file has such a part, saying which parts there are.
std::vector<line_up> by_part(const std::vector<run_file>& runs, const std::vector<std::string>& labels,
                             std::string_view part, std::string_view baseline);

/// The same with the parts of all files beside each other, in one line-up: a side is one value in one file,
/// called "value (label)" where several files have it.
line_up by_part_across(const std::vector<run_file>& runs, const std::vector<std::string>& labels,
                       std::string_view part, std::string_view baseline);

}  // namespace dbdyno::results
