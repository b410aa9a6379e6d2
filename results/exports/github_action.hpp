#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/exports/benchmark_figures.hpp"

namespace dbdyno::results {

/// For github-action-benchmark's tool customSmallerIsBetter: what an operation costs, p50 and p99 of the
/// latency, and CPU time of client and server. Units: ns, ns/op.
///
/// Shapes: none if no benchmark has a figure, since the action fails on an empty list. Names, by which the
/// action finds the value before, are the benchmarks' labels and the figure. `range` has the lowest and the
/// highest of the repetitions, where there are several, `extra` what stands behind the figure.
/// Source: benchmark-action/github-action-benchmark 1.22.0 (c38cce9): README.md, "Charts on GitHub Pages";
/// src/extract.ts, BenchmarkResult; src/normalizeValueByUnit.ts.
std::optional<std::string> github_action_smaller(const std::vector<benchmark_figures>& benchmarks);

/// The same for customBiggerIsBetter: operations per second.
std::optional<std::string> github_action_bigger(const std::vector<benchmark_figures>& benchmarks);

}  // namespace dbdyno::results
