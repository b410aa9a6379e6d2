#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/finished_run.hpp"
#include "results/histogram.hpp"
#include "results/run_file.hpp"

namespace dbdyno {

/// What the repetitions of one cell come to. Vectors hold a figure of each repetition that is a measurement.
struct cell_summary {
  std::vector<double> rates{};         ///< operations per second
  std::vector<double> operations{};    ///< inside the window
  std::vector<double> windows{};       ///< seconds
  std::vector<double> connects{};      ///< seconds until all connections of the row were up
  std::vector<double> cpu{};           ///< of the client, ns an operation
  std::vector<double> server_cpu{};    ///< ns an operation; absent of repetitions where it is not known
  std::vector<double> busiest_core{};  ///< of the client, see row_costs
  bool spins = false;                  ///< the client busy-polls: how busy it is says nothing
  std::vector<double> server_busy{};   ///< see row_costs; absent of repetitions where it is not known
  results::histogram latencies{};      ///< of all of them
  std::uint64_t misses = 0;
  std::uint64_t errors = 0;  ///< of those that errored, too
  unsigned failed = 0;       ///< repetitions that errored
  std::string error{};       ///< of the first of them
  results::verdict_level worst = results::verdict_level::valid;
  std::vector<std::string> reasons{};  ///< of the first row of the worst level
  bool missed_rate = false;            ///< in a repetition at least, an open loop did not keep its rate

  bool empty() const { return rates.empty() && failed == 0; }
  /// The median; none where nothing was measured.
  std::optional<double> rate() const;
};

/// verdicts: one for each row of the run.
cell_summary summarise(const finished_run& run, const std::vector<results::verdict>& verdicts,
                       std::size_t cell);

}  // namespace dbdyno
