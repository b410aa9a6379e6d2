#pragma once

#include <optional>
#include <span>

namespace dbdyno::results {

/// A mean and the range in which it lies at 95 % confidence. All in the unit of the values.
struct interval_estimate {
  double mean = 0;
  double low = 0;
  double high = 0;

  /// Whether the values cannot tell the mean from nothing.
  bool contains_zero() const noexcept { return low <= 0 && high >= 0; }
  bool operator==(const interval_estimate&) const = default;
};

/// Student's t interval of the mean of a sample of finite values. None for fewer than 2.
std::optional<interval_estimate> mean_interval(std::span<const double> values);

}  // namespace dbdyno::results
