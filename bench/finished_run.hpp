#pragma once

#include <optional>
#include <vector>

#include "bench/plan.hpp"
#include "bench/row.hpp"

namespace dbdyno {

/// Everything a run produced: the plan, the order, and a result for each row that was run.
struct finished_run {
  run_plan plan{};
  std::vector<scheduled_row> order{};
  std::vector<std::optional<row_result>> results{};  ///< as long as `order`; empty where the run ended before
  int signal = 0;                                    ///< that interrupted it, or 0
};

}  // namespace dbdyno
