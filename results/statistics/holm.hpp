#pragma once

#include <span>
#include <vector>

namespace dbdyno::results {

/// Adjusts the p values of a family of tests, so that the chance of even one false alarm among all that are
/// below a level stays below that level, however the tests depend on each other. In the order given.
/// Source: S. Holm, Scandinavian Journal of Statistics 6 (1979) 65.
std::vector<double> holm(std::span<const double> p_values);

}  // namespace dbdyno::results
