#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "bench/error_budget.hpp"
#include "bench/tick_clock.hpp"

namespace dbdyno {

/// When a loop ends: after `requests`, once `stop` is set, or when the budget is spent.
struct window_limits {
  const std::atomic<bool>& stop;
  error_budget& budget;
  std::uint64_t requests = unlimited;  ///< of this thread
  tick_clock::ticks timeout = 0;       ///< of each request
  /// How often the requests in flight are searched for one past its deadline.
  tick_clock::ticks look_interval = 1;

  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
};

enum class loop_end : std::uint8_t {
  finished,      ///< as the limits say
  failed,        ///< the error budget is spent
  disconnected,  ///< a connection has to be made anew; then run() goes on where it was
};

}  // namespace dbdyno
