#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/cell.hpp"
#include "bench/cell_summary.hpp"

namespace dbdyno {

/// A column of the console table.
struct table_column {
  std::string heading{};
  bool holds_words = false;  ///< and stands to the left; numbers to the right
  std::string nothing{};     ///< a column of nothing else is left out; empty: it always stands
  std::function<std::string(const cell&, const cell_summary&)> text{};
};

/// Columns that a table may show beside the usual ones: "ops", "ms" (of the window), "connect" (until all
/// connections were up), "p50" to "p100" and any other percentile, "mean", "max", "errors".
/// Errors: usage_error that begins with `where` for a name that is none of them.
void require_column(std::string_view where, const std::string& name);

/// chosen: from those above; empty: p50 and p99.
std::vector<table_column> make_columns(const std::vector<std::string>& chosen);

}  // namespace dbdyno
