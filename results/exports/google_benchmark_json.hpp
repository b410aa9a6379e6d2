#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/exports/benchmark_figures.hpp"
#include "results/run_file.hpp"

namespace dbdyno::results {

/// Plain JSON of Google Benchmark: the rows that count, repetitions first, and their statistics made anew. A
/// reader that knows neither errors nor verdicts takes every row for a figure, so failed and invalid ones are
/// not there, nor those without a time, which would read 0.
///
/// Shapes: none if no row is left.
/// Source: Google Benchmark 1.7.1, src/json_reporter.cc and tools/compare.py.
std::optional<std::string> google_benchmark_json(const run_file& run);

/// The same with one row a benchmark, named as the benchmark and of run_type iteration, for readers that take
/// every row for a benchmark of its own, aggregates too, or of rows of one name the last: its median, and of
/// latencies what holds for all operations together.
///
/// Shapes: none if no benchmark has a time. Those readers call real_time a latency; it is window /
/// operations. Source: bencherdev/bencher 0.6.12 (8d75325), lib/bencher_adapter/src/adapters/cpp/google.rs;
/// benchmark-action/github-action-benchmark 1.22.0 (c38cce9), src/extract.ts, extractGoogleCppResult.
std::optional<std::string> google_benchmark_median_json(const run_file& run,
                                                        const std::vector<benchmark_figures>& benchmarks);

}  // namespace dbdyno::results
