#pragma once

#include "bench/driver_entry.hpp"
#include "bench/row.hpp"
#include "bench/watchdog.hpp"

namespace dbdyno {

/// Runs one row with threads of its own, as many as the plan says.
row_result run_row(thread_runner run, row_plan plan, watchdog& dog);

}  // namespace dbdyno
