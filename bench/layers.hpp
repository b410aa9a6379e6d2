#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/finished_run.hpp"
#include "results/statistics/interval.hpp"

namespace dbdyno {

/// What one operation takes, layer by layer: harness = null, wire = echo - null, library = cell - echo, each
/// from the differences of repetitions that ran beside each other. Units: nanoseconds an operation. A layer
/// is absent where fewer than two repetitions allow to tell; wire and library also where the bytes of an
/// operation are not known, so that there is no echo of as many.
struct layer_split {
  std::optional<results::interval_estimate> harness{};
  std::optional<results::interval_estimate> wire{};
  std::optional<results::interval_estimate> library{};  ///< and the server's work, where it is a time
};

/// One cell's two splits.
struct cell_layers {
  std::size_t cell = 0;  ///< of the plan
  layer_split time{};    ///< of the window: 1 / rate
  layer_split client_cpu{};
};

/// Of every cell that has an echo beside it.
std::vector<cell_layers> split_layers(const finished_run& run);

}  // namespace dbdyno
