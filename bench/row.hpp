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
  /// The sum over the threads of operations / the thread's own window. All start together; the last reply
  /// that each waits for ends its window, so that one slow reply does not dilute what the others did.
  double operations_per_second = 0;
  std::chrono::nanoseconds window{0};      ///< of the thread whose window was the longest
  std::chrono::nanoseconds client_cpu{0};  ///< of all measuring threads, inside their windows
  std::string error{};                     ///< why the row is no measurement; empty if it is one

  bool ok() const noexcept { return error.empty(); }
  /// Units: nanoseconds.
  double client_cpu_per_operation() const noexcept {
    return counts.operations() == 0
               ? 0
               : static_cast<double>(client_cpu.count()) / static_cast<double>(counts.operations());
  }
};

}  // namespace dbdyno
