#pragma once

#include <string_view>

#include "drivers/driver.hpp"
#include "fixtures/data_set.hpp"

namespace dbdyno {

/// Reads a loaded key and checks tag and length of what came back.
class get_workload {
 public:
  static constexpr std::string_view name = "get";
  static constexpr bool writes = false;

  get_workload(const data_set& data, std::uint32_t /*writer_id*/) : data_(data) {}

  template <sync_driver D>
  op_status run(D& driver, const key& k) noexcept {
    std::string_view value;
    const op_status status = driver.get(k, value);
    return judge(data_, k.tag(), status, value);
  }

  template <in_flight_driver D>
  submitted submit(D& driver, slot s, const key& k) noexcept {
    return driver.submit_get(s, k);
  }

  /// What a reply comes to.
  struct checker {
    data_set data;

    /// tag: of the key that was asked for.
    op_status operator()(std::uint64_t tag, op_status status, std::string_view value) const noexcept {
      return judge(data, tag, status, value);
    }
  };
  checker check() const noexcept { return {data_}; }

 private:
  static op_status judge(const data_set& data, std::uint64_t tag, op_status status,
                         std::string_view value) noexcept {
    if (status == op_status::ok && !data.matches(tag, value)) [[unlikely]]
      return op_status::wrong_reply;
    return status;
  }

  data_set data_;
};

}  // namespace dbdyno
