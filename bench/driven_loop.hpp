#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bench/any_load.hpp"
#include "bench/key_ring.hpp"
#include "bench/latencies.hpp"
#include "bench/lost_connections.hpp"
#include "bench/row_session.hpp"
#include "bench/tally.hpp"
#include "bench/traffic.hpp"
#include "bench/window.hpp"
#include "drivers/connect_options.hpp"

namespace dbdyno {

/// A driver and the loop over it, their types erased: what a thread asks of them between its windows. Nothing
/// here is called per request.
///
/// Threads: that of the row which it belongs to; interrupt() from any, while there is a driver.
class driven_loop {
 public:
  driven_loop() = default;
  driven_loop(const driven_loop&) = delete;
  driven_loop& operator=(const driven_loop&) = delete;
  virtual ~driven_loop() = default;

  struct traits {
    std::uint32_t max_window = 1;
    bool writes = false;
    bool queues = false;  ///< its load is a queued_load
    bool reopens_connections = false;
    bool multigets = false;
    std::optional<rows_source> rows_from{};
  };
  virtual traits what() const noexcept = 0;

  /// Constructs the driver. Errors: as the driver's constructor.
  virtual void connect(row_session& row, const connect_options& options) = 0;
  virtual void disconnect() noexcept = 0;
  virtual bool connected() const noexcept = 0;
  /// Where reopens_connections only. Errors: setup_error.
  virtual void reopen(std::uint32_t connection, std::chrono::milliseconds limit) = 0;

  /// Fills a private storage and makes the loop; to be called once, when connected.
  /// slots: connections x window. Errors: std::runtime_error when the storage cannot be filled.
  virtual void prepare(row_session& row, unsigned thread, key_ring::cursor keys,
                       std::atomic<std::uint64_t>& progress, lost_connections& lost, std::size_t slots) = 0;

  /// As sync_loop and in_flight_loop do; load: of the kind that this loop is for.
  virtual loop_end run(const window_limits& limits, tally& counts, latencies& times, any_load& load) = 0;
  virtual void drain(const window_limits& limits, tally& counts, latencies& times, any_load& load) = 0;
  virtual tick_clock::ticks age_of_in_flight(tick_clock::ticks now) noexcept = 0;

  /// By the kernel's counters; absent where the driver has no sockets.
  virtual std::optional<traffic> bytes() const = 0;
  virtual void interrupt() noexcept = 0;
  virtual std::string last_error() const = 0;
};

}  // namespace dbdyno
