#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "bench/cell.hpp"
#include "bench/tally.hpp"
#include "drivers/connect_options.hpp"
#include "fixtures/data_set.hpp"

namespace dbdyno {

/// One repetition of a cell, as planned.
struct row_plan {
  cell what{};
  unsigned repetition = 0;
  target where{};
  data_set data{};
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> requests{};  ///< exactly so many in all, no warm-up; otherwise:
  std::chrono::nanoseconds warmup{0};
  std::chrono::nanoseconds duration{0};
  std::chrono::milliseconds connect_timeout{3000};
};

/// One repetition of a cell, as measured.
struct row_result {
  tally counts{};  ///< inside the window
  std::chrono::nanoseconds window{
      0};  ///< from the moment all threads had started to when the last one stopped
  std::chrono::nanoseconds client_cpu{0};  ///< of all measuring threads, inside the window
  std::string error{};                     ///< why the row is no measurement; empty if it is one

  bool ok() const noexcept { return error.empty(); }
  /// Units: operations per second.
  double operations_per_second() const noexcept {
    return window.count() <= 0
               ? 0
               : static_cast<double>(counts.operations()) * 1e9 / static_cast<double>(window.count());
  }
  /// Units: nanoseconds.
  double client_cpu_per_operation() const noexcept {
    return counts.operations() == 0
               ? 0
               : static_cast<double>(client_cpu.count()) / static_cast<double>(counts.operations());
  }
};

}  // namespace dbdyno
