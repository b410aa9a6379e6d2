#pragma once

#include <optional>

#include "bench/plan.hpp"
#include "bench/row.hpp"
#include "bench/watchdog.hpp"

namespace dbdyno {

/// What is counted in a short pass of its own, since counting it would cost the timed rows something. Per
/// request; absent where it is not known.
struct probe_result {
  std::optional<double> allocations{};
  std::optional<double> allocated_bytes{};
  std::optional<double> bytes_sent{};
  std::optional<double> bytes_received{};
};

/// Runs `planned` in a closed loop, a few thousand requests that are not looked at and then as many that are.
/// A pass that fails yields nothing: the timed rows will say why.
/// plan: of any row of the cell.
probe_result probe(const planned_cell& planned, row_plan plan, watchdog& dog);

}  // namespace dbdyno
