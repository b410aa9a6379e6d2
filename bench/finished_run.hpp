#pragma once

#include <optional>
#include <vector>

#include "bench/plan.hpp"
#include "bench/probe.hpp"
#include "bench/row.hpp"

namespace dbdyno {

/// One rate that a search tried.
struct search_step {
  double rate = 0;
  std::optional<double> figure{};  ///< what the limit is about, ns; none where the row was no measurement
  bool kept = false;               ///< the limit
};

/// The search for the highest rate of one cell that keeps --max-rate-under.
struct finished_search {
  std::size_t cell = 0;                 ///< the closed loop that it began with, in run_plan::cells
  std::optional<double> closed_loop{};  ///< its rate; none: it failed, and there was no search
  std::vector<search_step> steps{};
  std::optional<double> knee{};  ///< none: no rate kept the limit, or the search was not finished
  std::string stopped{};         ///< why it was not finished; empty if it was
};

/// Everything a run produced: the plan, the order, and a result for each row that was run.
struct finished_run {
  run_plan plan{};
  std::vector<scheduled_row> order{};
  std::vector<std::optional<row_result>> results{};  ///< as long as `order`; empty where the run ended before
  std::vector<probe_result> probes{};                ///< by cell of the plan; empty: none were made
  std::vector<finished_search> searches{};
  time_point started{};  ///< what the rows' times are told from
  int signal = 0;        ///< that interrupted it, or 0
};

}  // namespace dbdyno
