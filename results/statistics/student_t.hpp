#pragma once

namespace dbdyno::results {

/// How likely a variable of Student's t distribution is above `t`. Degrees of freedom: any number from 1 on,
/// whole or not.
double t_upper_tail(double t, double freedom) noexcept;

/// The value below which the share `p`, between 0 and 1, of Student's t distribution lies. Good to 1e-9 of
/// itself.
double t_quantile(double p, double freedom) noexcept;

/// The degrees of freedom of the difference of two means whose squared standard errors are `variance1` and
/// `variance2`, known from `n1` and `n2` values, 2 at least. Where neither has any: those of both.
/// Source: B. L. Welch, Biometrika 34 (1947) 28.
double welch_freedom(double variance1, double n1, double variance2, double n2) noexcept;

}  // namespace dbdyno::results
