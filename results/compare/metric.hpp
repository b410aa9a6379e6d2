#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "results/run_file.hpp"

namespace dbdyno::results {

/// A figure of a row that rows are compared by.
struct metric {
  enum class unit : std::uint8_t { per_second, nanoseconds, number, bytes };

  std::string_view name;     ///< as --metric takes it
  std::string_view heading;  ///< for people
  unit in;
  bool higher_is_better;
  /// Of the latencies of all repetitions together, where the rows have histograms; otherwise the figure is
  /// each repetition's own.
  std::optional<double> percentile;

  std::string_view word_for_more() const noexcept;  ///< "faster", "slower", "more"
  std::string_view word_for_less() const noexcept;
};

/// All there are, those that are compared by default first.
std::span<const metric> all_metrics() noexcept;
/// How many of all_metrics() are compared by default.
inline constexpr std::size_t usual_metrics = 3;
/// By its name or its heading; null where there is none.
const metric* find_metric(std::string_view name) noexcept;

/// One row's figure. Units: the metric's. None where the row does not have it.
std::optional<double> figure_of(const row& from, const metric& which);

}  // namespace dbdyno::results
