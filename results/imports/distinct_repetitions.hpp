#pragma once

#include <string>
#include <vector>

#include "results/run_file.hpp"

namespace dbdyno::results {

/// Makes further repetitions of rows that have the name and repetition of one before, as two files make that
/// were put together; what is known of them beyond the row (run_file::cells) goes with them, in order.
///
/// Returns the remark on it; none where all rows are told apart, which leaves the run as it is.
std::vector<std::string> make_repetitions_distinct(run_file& run);

}  // namespace dbdyno::results
