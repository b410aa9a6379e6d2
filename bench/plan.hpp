#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/cell.hpp"
#include "bench/driver_entry.hpp"
#include "bench/options.hpp"

namespace dbdyno {

/// The cells that a cell's layers are told from. Units: indices into run_plan::cells.
struct layer_cells {
  std::size_t null = 0;
  std::size_t echo = 0;
};

/// A cell and what runs it.
struct planned_cell {
  cell what{};
  thread_runner run = nullptr;
  std::optional<layer_cells> layers{};  ///< with --layers, of cells that cross a wire
};

/// What one run of the program will measure.
struct run_plan {
  std::string name{};  ///< "quick", or "filter"
  std::vector<planned_cell> cells{};
  double duration = 1;  ///< seconds of a window; not used with --requests
  double warmup = 0.2;  ///< seconds

  /// Seconds that windows and warm-ups take, without connecting.
  double expected_seconds(const bench_options& options) const;
};

/// The storages that have more than one way in, or none, as given by URL or offered by throwaway servers.
std::vector<transport> transports_of(const std::string& storage, const bench_options& options);

/// Selects the cells by --plan or --benchmark_filter out of what the drivers can do.
/// Shapes: may be empty when the filter matches nothing.
/// Errors: usage_error for an unknown plan, both a plan and a filter, or more threads than connections.
run_plan make_plan(const bench_options& options, const std::vector<driver_entry>& drivers);

/// One repetition of one cell.
struct scheduled_row {
  std::size_t cell = 0;  ///< index into run_plan::cells
  unsigned repetition = 0;
};

/// All repetitions, interleaved: every cell once before any cell twice, each round in an order drawn from the
/// seed, so that a drift of the machine hits all contenders alike. An echo runs right after the cell it
/// stands beside.
std::vector<scheduled_row> schedule(const std::vector<planned_cell>& cells, unsigned repetitions,
                                    std::uint64_t seed);

}  // namespace dbdyno
