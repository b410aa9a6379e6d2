#pragma once

#include "bench/driver_entry.hpp"
#include "bench/row.hpp"
#include "bench/watchdog.hpp"

namespace dbdyno {

/// Runs one row on as many threads as the plan says, of which the calling one is the first.
row_result run_row(thread_runner run, row_plan plan, watchdog& dog);

}  // namespace dbdyno
