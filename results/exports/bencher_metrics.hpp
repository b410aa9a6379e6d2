#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/exports/benchmark_figures.hpp"

namespace dbdyno::results {

/// Bencher Metric Format, for `bencher run --adapter json --file`: for each benchmark's label its measures,
/// each a value with the lowest and the highest of the repetitions, where there are several.
///
/// Units: throughput in operations per second, CPU and latencies in nanoseconds. The measure "latency", which
/// Bencher has itself, is not among them: which percentile it were, nobody could tell.
/// Shapes: none if no benchmark has a figure.
/// Source: bencherdev/bencher 0.6.12 (8d75325): https://bencher.dev/bmf.json; json adapter, version 0; names
/// and slugs in lib/bencher_valid.
std::optional<std::string> bencher_metrics(const std::vector<benchmark_figures>& benchmarks);

}  // namespace dbdyno::results
