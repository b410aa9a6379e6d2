#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/row_session.hpp"
#include "drivers/driver.hpp"

namespace dbdyno {

/// Runs one thread of a row; where a driver's type is erased, once a row and thread.
using thread_runner = void (*)(row_session&, unsigned thread);

/// One workload in one mode of one driver.
struct runner_entry {
  std::string_view workload;
  dbdyno::mode mode;
  std::uint32_t max_window;
  bool spins;  ///< whether the driver can busy-poll
  thread_runner run;
};

/// What the harness knows of a driver.
struct driver_entry {
  std::string_view storage;
  std::string_view name;
  std::string (*version)();
  std::vector<runner_entry> runners;
};

/// All drivers this program was built with, in the order of the CMake files. Generated.
std::vector<driver_entry> all_drivers();

}  // namespace dbdyno
