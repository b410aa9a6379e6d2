#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/cell.hpp"
#include "bench/driver_entry.hpp"
#include "bench/options.hpp"
#include "bench/pinning.hpp"
#include "bench/plan_file.hpp"

namespace dbdyno {

/// The cells that a cell's layers are told from. Units: indices into run_plan::cells.
struct layer_cells {
  std::size_t null = 0;
  std::size_t echo = 0;
};

/// How long and how often a cell runs.
struct row_length {
  std::optional<std::uint64_t> requests{};  ///< exactly so many, no warm-up; otherwise:
  double duration = 1;                      ///< seconds of the window
  double warmup = 0.2;                      ///< seconds before it
  unsigned repetitions = 5;
  double row_seconds = 0;  ///< about how long a row of `requests` takes; 0: nobody knows

  /// Of one repetition, without connecting.
  double seconds() const noexcept { return requests ? row_seconds : duration + warmup; }
};

/// A cell and what runs it.
struct planned_cell {
  cell what{};
  thread_runner run = nullptr;
  bool spins = false;  ///< where the run asks for it
  row_length length{};
  std::optional<layer_cells> layers{};   ///< with --layers, of cells that cross a wire
  std::optional<std::size_t> maximum{};  ///< the closed loop that a rate in percent is taken of, in cells
};

/// What one run of the program will measure.
struct run_plan {
  std::string name{};                  ///< the plan's, or "filter"
  std::string about{};                 ///< what the plan measures; empty without one
  std::vector<std::string> columns{};  ///< of the table; empty: the usual ones
  std::vector<planned_cell> cells{};
  std::string pin{"none"};              ///< what was asked for, as parse_pinning() takes it
  pinning pins{};                       ///< for the most threads that a cell has
  std::vector<std::string> warnings{};  ///< what of plan and flags comes to nothing

  /// What all rows take together, without connecting; none where nobody knows of one.
  std::optional<double> expected_seconds() const;
};

/// The ways into a storage: that of its URL, or those wanted that a throwaway server offers.
std::vector<transport> transports_of(const std::string& storage, const bench_options& options,
                                     const std::vector<transport>& wanted);

/// Selects the cells by --plan and --benchmark_filter out of what the drivers can do. What the flags say wins
/// over the plan.
/// Shapes: may be empty when the filter matches nothing.
/// Errors: usage_error for an unknown plan, or more threads than connections.
run_plan make_plan(const bench_options& options, const std::vector<driver_entry>& drivers);

/// One repetition of one cell.
struct scheduled_row {
  std::size_t cell = 0;  ///< index into run_plan::cells
  unsigned repetition = 0;
};

/// All repetitions, interleaved: every cell once before any cell twice, each round in an order drawn from the
/// seed, so that a drift of the machine hits all contenders alike. An echo runs right after the cell it
/// stands beside. Closed loops that others take a percentage of come first, with all their repetitions.
std::vector<scheduled_row> schedule(const std::vector<planned_cell>& cells, std::uint64_t seed);

}  // namespace dbdyno
