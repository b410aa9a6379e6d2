#pragma once

#include <optional>
#include <span>

namespace dbdyno::results {

/// How far the second sample lies above the first: the median of the differences of all pairs. None where one
/// is empty. In the unit of the values.
/// Source: J. L. Hodges and E. L. Lehmann, Annals of Mathematical Statistics 34 (1963) 598.
std::optional<double> hodges_lehmann(std::span<const double> first, std::span<const double> second);

}  // namespace dbdyno::results
