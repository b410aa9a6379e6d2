#pragma once

#include <string_view>

#include "bench/workload.hpp"
#include "drivers/driver.hpp"
#include "fixtures/data_set.hpp"
#include "fixtures/value_writer.hpp"

namespace dbdyno {

/// Overwrites a loaded key with a value of the same length that differs from the stored one.
class set_workload {
 public:
  static constexpr std::string_view name = "set";
  static constexpr bool writes = true;

  explicit set_workload(const workload_settings& settings) : writer_(settings.data, settings.writer) {}

  template <sync_driver D>
  op_status run(D& driver, const key& k) noexcept {
    return driver.set(k, writer_.next(k));
  }

  static bool wrote() noexcept { return true; }

  static std::uint64_t tag_of(const key& k) noexcept { return k.tag(); }
  static bool is_write(std::uint64_t) noexcept { return true; }
  template <in_flight_driver D>
  submitted submit(D& driver, slot s, const key& k) noexcept {
    return driver.submit_set(s, k, writer_.next(k));
  }

  /// Drivers answer ok only for one value written.
  struct checker {
    op_status operator()(std::uint64_t, op_status status, std::string_view) const noexcept { return status; }
  };
  static checker check() noexcept { return {}; }

 private:
  value_writer writer_;
};

}  // namespace dbdyno
