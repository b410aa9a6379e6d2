#pragma once

#include <string>
#include <vector>

#include "bench/cell_summary.hpp"
#include "bench/plan.hpp"

namespace dbdyno {

/// What a run found, in a few sentences made from its numbers: what is fastest and by how much, whether the
/// order is another one in another mode, where a sweep has its best point and where it breaks down, and what
/// was at its limit. Invalid cells are left out, and said to be.
/// summaries: one for each cell of the plan. Shapes: empty where there is nothing to be said.
std::string describe_findings(const run_plan& plan, const std::vector<cell_summary>& summaries);

}  // namespace dbdyno
