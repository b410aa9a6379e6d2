#pragma once

namespace dbdyno::results {

/// The share of a standard normal distribution below `z`. The share above it is normal_cdf(-z), without
/// cancellation.
double normal_cdf(double z) noexcept;

/// The value below which the share `p` of a standard normal distribution lies: infinite at 0 and 1, NaN
/// outside of them. Good to 1e-12.
double normal_quantile(double p) noexcept;

}  // namespace dbdyno::results
