#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bench/key_order.hpp"
#include "bench/workload.hpp"
#include "drivers/driver.hpp"

namespace dbdyno {

/// What one benchmark measures: everything its name says.
struct cell {
  std::string workload{};
  std::string storage{};
  std::string driver{};
  dbdyno::mode mode = dbdyno::mode::sync;
  transport via = transport::in_process;
  std::uint32_t connections = 1;  ///< in all, dealt over the threads; of the name in async mode only
  /// Requests issued and not completed on each connection; those beyond the driver's window wait in a queue
  /// of the harness's. Of the name where it is more than 1, or could be without a queue.
  std::uint32_t depth = 1;
  bool shows_depth = false;
  std::uint32_t threads = 1;
  std::optional<std::uint64_t> requests{};  ///< of a row; of the name where a plan gives it
  std::string value_size{};  ///< as a name spells it: "16-1024", "100x9_1000x1"; empty: the default
  key_order order = key_order::uniform;  ///< of the name where it is not the default
  std::optional<mix_ratio> ratio{};      ///< of mix
  std::uint32_t multiget_keys = 0;       ///< of a request, of multiget
  std::uint32_t reuse = 1;               ///< requests of a connection, of connect
  bool render = false;                   ///< the rows, into HTML
  bool shows_render = false;             ///< of the name where rendering is a choice
  /// Requests per second that are due, of all threads; a closed loop has none. One in percent is known once
  /// the cell's closed loop was measured.
  std::optional<double> rate{};
  std::optional<double> rate_percent{};  ///< of what the closed loop reached; of the name instead of the rate

  bool is_open_loop() const noexcept { return rate || rate_percent; }

  std::string
      beside{};  ///< echo only: "redis-wire", the driver whose byte counts it exchanges; empty: Redis's own

  /// <workload>/<storage>/<driver>/<mode>[/param:value...], Google Benchmark's suffixes not included.
  std::string name() const;
  /// name() and /threads:N where there are several: no two cells of a run share it.
  std::string id() const;
  /// The name as Google Benchmark spells it: name() and its own suffixes.
  std::string google_benchmark_name() const;

  friend bool operator==(const cell&, const cell&) = default;
};

}  // namespace dbdyno
