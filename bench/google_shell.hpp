#pragma once

#include <functional>

#include "bench/finished_run.hpp"
#include "bench/google_flags.hpp"
#include "bench/row.hpp"
#include "bench/watchdog.hpp"

namespace dbdyno {

/// Fills in a row's target; called once a row, before it runs.
using row_planner = std::function<row_plan(const planned_cell&, const scheduled_row&)>;
/// Told before a row runs: its index in the order.
using row_listener = std::function<void(std::size_t index)>;

/// Runs the rows of run.order beyond run.results, in their order, under Google Benchmark, and adds their
/// results.
///
/// Every row is a registration of its own with one iteration, which is the whole measured window. Google
/// Benchmark's own reporters, where the flags ask for them, see completed operations as iterations. Threads:
/// from the main thread.
void run_under_google_benchmark(finished_run& run, const google_flags& flags, const row_planner& planner,
                                const row_listener& before_row, watchdog& dog);

}  // namespace dbdyno
