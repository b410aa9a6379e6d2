#pragma once

#include <string>
#include <vector>

#include "results/compare/contender.hpp"
#include "results/compare/metric.hpp"

namespace dbdyno::results {

/// The cell whose figures stand for the machine that `name` ran on: of a cell that crosses a wire the bare
/// echo in the same shape, of another one the memory; the null driver where there is none. It must be there
/// on every side that has `name`, with the metric. Empty where there is none, and for null and echo, which
/// are what others are divided by.
std::string common_reference(const std::vector<contender>& sides, const std::string& name,
                             const metric& what);

/// Each repetition's figure divided by that of the reference in the same repetition, or in all of them where
/// it has no such repetition. Repetitions without the figure are left out.
std::vector<double> normalised_figures(const cell_sample& sample, const cell_sample& reference,
                                       const metric& what);

}  // namespace dbdyno::results
