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
  std::uint32_t depth =
      1;  ///< of each connection; of the name where the driver can have more than one in flight
  bool shows_depth = false;
  std::uint32_t threads = 1;
  std::string value_size{};  ///< as a name spells it: "16-1024", "100x9_1000x1"; empty: the default
  key_order order = key_order::uniform;  ///< of the name where it is not the default
  std::optional<mix_ratio> ratio{};      ///< of mix
  std::optional<double> rate{};  ///< requests per second that are due, of all threads; a closed loop has none

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
