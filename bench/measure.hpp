#pragma once

#include "bench/finished_run.hpp"
#include "bench/options.hpp"
#include "bench/target_set.hpp"
#include "bench/tick_clock.hpp"
#include "bench/watchdog.hpp"
#include "data-loaders/progress_line.hpp"

namespace dbdyno {

/// Runs everything that run.plan and run.order hold, the untimed passes before the timed rows, and with
/// --max-rate-under what the searches add to them; ends early after a signal.
void measure(finished_run& run, const bench_options& options, const target_set& targets,
             const tick_clock& clock, watchdog& dog, progress_line& progress);

}  // namespace dbdyno
