#pragma once

#include <string_view>

#include "results/imports/imported_run.hpp"

namespace dbdyno::results {

bool looks_like_redis_benchmark(std::string_view text);

/// Reads what redis-benchmark --csv prints: since 6.2 with a header and latencies, before that a test and its
/// rate in each line.
///
/// Shapes: rows are named TEST/redis/redis-benchmark, such as get/redis/redis-benchmark; a test that comes
/// again is a further repetition. Neither connections, depth nor requests are told, nor how many replies were
/// errors: redis-benchmark counts those as requests.
/// Errors: result_file_error naming the line.
/// Source: redis-benchmark.c of Redis 4.0 to 7.0.
imported_run import_redis_benchmark(std::string_view text, std::string_view name);

}  // namespace dbdyno::results
