#pragma once

#include <optional>
#include <span>

namespace dbdyno::results {

/// Statistics of a sample of finite values, in any order. Where the sample is too small for one, there is
/// none: all need 1 value at least, the sample standard deviation and what follows from it 2.

std::optional<double> mean(std::span<const double> values);
/// The middle value, or the mean of the two middle ones.
std::optional<double> median(std::span<const double> values);
std::optional<double> minimum(std::span<const double> values);
std::optional<double> maximum(std::span<const double> values);
/// Sample standard deviation (n - 1).
std::optional<double> standard_deviation(std::span<const double> values);
/// Standard deviation divided by the mean's magnitude, as a ratio. None where the mean is 0.
std::optional<double> coefficient_of_variation(std::span<const double> values);

}  // namespace dbdyno::results
