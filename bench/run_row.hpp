#pragma once

#include "bench/driver_entry.hpp"
#include "bench/row.hpp"
#include "bench/watchdog.hpp"

namespace dbdyno {

/// Runs one row: on the calling thread if the plan says one, else on as many of its own.
row_result run_row(thread_runner run, row_plan plan, watchdog& dog);

}  // namespace dbdyno
