#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "drivers/driver.hpp"

namespace dbdyno {

/// When a loop ends: after `requests`, or once `stop` is set, or at the first error.
///
/// The loop reads no clock; somebody else sets `stop` at the end of the window.
struct window_limits {
  const std::atomic<bool>& stop;
  std::uint64_t requests = unlimited;  ///< of this thread
  time_point wait_until;               ///< the latest moment a poll may wait for

  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace dbdyno
