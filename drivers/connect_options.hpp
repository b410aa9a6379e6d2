#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "drivers/target.hpp"
#include "drivers/value_sizes.hpp"

namespace dbdyno {

/// Bytes of one request and of its reply; 0 leaves the choice to the driver.
struct exchange_size {
  std::uint16_t request_bytes = 0;
  std::uint16_t reply_bytes = 0;
};

/// What a driver needs to know to connect and to size its buffers.
struct connect_options {
  target where{};
  std::uint32_t connections = 1;  ///< of this instance; more than 1 for async drivers only
  std::uint32_t window = 1;       ///< requests in flight on one connection, at most the driver's max_window
  bool writes = false;            ///< the workload holds sets (HandlerSocket writes through another port)
  std::size_t value_size = 0;     ///< bytes of the largest value to be sent or received
  value_sizes sizes{};            ///< null only: of the values it makes up
  std::chrono::milliseconds connect_timeout{3000};
  exchange_size exchange{};  ///< echo only: those of the cell it stands beside
};

}  // namespace dbdyno
