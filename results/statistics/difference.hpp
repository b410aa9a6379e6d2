#pragma once

namespace dbdyno::results {

/// How far one sample's figure lies above another's, and the range in which it does at 95 % confidence. In
/// the unit of the values; of logarithms, it is the logarithm of a ratio.
struct difference_estimate {
  double difference = 0;
  double low = 0;
  double high = 0;

  bool contains_zero() const noexcept { return low <= 0 && high >= 0; }
  bool operator==(const difference_estimate&) const = default;
};

}  // namespace dbdyno::results
