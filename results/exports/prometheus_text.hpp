#pragma once

#include <string>
#include <vector>

#include "results/exports/benchmark_figures.hpp"
#include "results/run_file.hpp"

namespace dbdyno::results {

/// The run as Prometheus reads it, for node_exporter's textfile collector or a Pushgateway. README.md in
/// results/ lists the metrics. The samples of a benchmark have the parts of its name as labels.
///
/// Units: seconds, bytes, ratios. Shapes: every family once, with HELP and TYPE and all its samples; no
/// timestamps, which the collector refuses, and no series twice. A benchmark of which no repetition counts
/// has its repetitions only. Source: Prometheus' text exposition format 0.0.4 and its "Metric and label
/// naming"; the strictest reader, expfmt/text_parse.go of prometheus/common.
std::string prometheus_text(const run_file& run, const std::vector<benchmark_figures>& benchmarks);

}  // namespace dbdyno::results
