#pragma once

#include <string_view>

#include "bench/workload.hpp"
#include "drivers/driver.hpp"
#include "fixtures/data_set.hpp"

namespace dbdyno {

/// Reads a loaded key and checks tag and length of what came back.
class get_workload {
 public:
  static constexpr std::string_view name = "get";
  static constexpr bool writes = false;

  explicit get_workload(const workload_settings& settings)
      : data_(settings.data), check_{&data_, data_.sizes().is_fixed() ? data_.largest_value() : 0} {}
  get_workload(const get_workload&) = delete;
  get_workload& operator=(const get_workload&) = delete;

  template <sync_driver D>
  op_status run(D& driver, const key& k) noexcept {
    std::string_view value;
    const op_status status = driver.get(k, value);
    return check_(k.tag(), status, value);
  }

  static bool wrote() noexcept { return false; }

  static std::uint64_t tag_of(const key& k) noexcept { return k.tag(); }
  static bool is_write(std::uint64_t) noexcept { return false; }
  template <in_flight_driver D>
  submitted submit(D& driver, slot s, const key& k) noexcept {
    return driver.submit_get(s, k);
  }

  /// What a reply comes to.
  struct checker {
    const data_set* data;
    std::size_t usual_size;  ///< 0: none is usual

    /// tag: of the key that was asked for.
    op_status operator()(std::uint64_t tag, op_status status, std::string_view value) const noexcept {
      if (status != op_status::ok) [[unlikely]]
        return status;
      if (value.size() != usual_size || !data_set::has_tag(tag, value)) [[unlikely]]
        return check_whole(*data, tag, value);
      return op_status::ok;
    }

   private:
    /// Apart and static, so that the usual case keeps the two members in registers.
    [[gnu::noinline]] static op_status check_whole(const data_set& data, std::uint64_t tag,
                                                   std::string_view value) noexcept {
      return data.matches(tag, value) ? op_status::ok : op_status::wrong_reply;
    }
  };
  /// Lifetime: valid as long as this workload.
  checker check() const noexcept { return check_; }

 private:
  data_set data_;
  checker check_;
};

}  // namespace dbdyno
