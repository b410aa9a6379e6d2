#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drivers/target.hpp"
#include "drivers/value_sizes.hpp"

namespace dbdyno {

/// Bytes of one request and of its reply; 0 leaves the choice to the driver.
struct exchange_size {
  std::uint16_t request_bytes = 0;
  std::uint16_t reply_bytes = 0;
};

/// Where rows are read from.
enum class rows_source : std::uint8_t {
  table,  ///< what the loaders make: a table user_rows; in Redis, hashes
  view    ///< mysql.user itself; of MySQL only
};

/// How many rows are read at a time.
inline constexpr std::size_t rows_read = 3;
/// In Redis, the name of each hash less its number, which begins with 1.
inline constexpr std::string_view row_key_prefix = "dbdyno:user:";

/// What a driver needs to know to connect and to size its buffers.
struct connect_options {
  target where{};
  std::uint32_t connections = 1;  ///< of this instance; more than 1 for async drivers only
  std::uint32_t window = 1;       ///< requests in flight on one connection, at most the driver's max_window
  bool writes = false;            ///< the workload holds sets (HandlerSocket writes through another port)
  std::size_t value_size = 0;     ///< bytes of the largest value to be sent or received
  value_sizes sizes{};            ///< null only: of the values it makes up
  std::chrono::milliseconds connect_timeout{3000};
  /// When whoever runs the driver gives a request up, for a library that would have to be told beforehand.
  std::chrono::milliseconds request_timeout{0};
  /// Nothing but what a get needs: no questions beforehand whether the target is fit for the loops.
  bool bare = false;
  /// Never sleep in a wait for a reply: ask the kernel again and again. Of drivers that can (see driver.hpp).
  bool spin = false;
  std::uint32_t reuse = 1;          ///< requests of a connection, where the workload opens one after another
  std::uint32_t multiget_keys = 0;  ///< of each request of the workload; 0: it sends none
  std::optional<rows_source> rows_from{};  ///< where the workload reads rows; absent: it reads none
  const std::string* rows = nullptr;       ///< in-process drivers only: the rows they hold, as a cell_block
  exchange_size exchange{};                ///< echo only: those of the cell it stands beside
};

}  // namespace dbdyno
