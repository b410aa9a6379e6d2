#pragma once

#include <string_view>

#include "results/imports/imported_run.hpp"

namespace dbdyno::results {

bool looks_like_memtier(std::string_view text);

/// Reads what memtier_benchmark --json-out-file writes.
///
/// Shapes: rows are named as dbdyno's, such as
/// get/redis/memtier_benchmark/async/transport:tcp/conns:50/depth:16, with ratio:SETS-GETS behind if sets and
/// gets were mixed, and then all/... for both. Keys not found do not count as operations. With
/// --print-all-runs each run is a repetition; otherwise several runs make one row, their average.
/// Errors: result_file_error naming the place.
/// Source: run_stats.cpp and memtier_benchmark.cpp of its development version of 2026.
imported_run import_memtier(std::string_view text, std::string_view name);

}  // namespace dbdyno::results
