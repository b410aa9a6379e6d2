#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "bench/key_ring.hpp"
#include "bench/workload.hpp"
#include "drivers/cell_block.hpp"
#include "drivers/driver.hpp"
#include "fixtures/data_set.hpp"

namespace dbdyno {

/// Gets several keys with one request. The keys of a request all differ; which they are follows the key
/// order.
///
/// Values come in any order, so a reply is held against the sum of its keys' tags, and each value's length
/// against its own tag.
class multiget_workload {
 public:
  static constexpr std::string_view name = "multiget";
  static constexpr bool writes = false;

  explicit multiget_workload(const workload_settings& settings)
      : data_(settings.data), count_(settings.multiget_keys) {
    fill(settings);
  }
  multiget_workload(const multiget_workload&) = delete;
  multiget_workload& operator=(const multiget_workload&) = delete;

  template <multigets_in_sync D>
  op_status run(D& driver, const key&) noexcept {
    std::string_view values;
    const std::uint64_t sum = sums_[at_];
    const op_status status = driver.multiget(batch(), values);
    advance();
    return check()(sum, status, values);
  }
  static bool wrote() noexcept { return false; }

  std::uint64_t tag_of(const key&) const noexcept { return sums_[at_]; }
  static bool is_write(std::uint64_t) noexcept { return false; }
  template <multigets_in_flight D>
  submitted submit(D& driver, slot s, const key&) noexcept {
    const submitted taken = driver.submit_multiget(s, batch());
    if (taken == submitted::queued) [[likely]]
      advance();
    return taken;
  }

  struct checker {
    const data_set* data;
    std::uint32_t count;

    /// sum: of the tags of the keys asked for.
    op_status operator()(std::uint64_t sum, op_status status, std::string_view values) const noexcept {
      if (status != op_status::ok) [[unlikely]]
        return status;
      std::uint32_t found = 0;
      while (!values.empty()) {
        const std::string_view value = take_cell(values);
        if (value.size() < data_set::tag_size) return op_status::wrong_reply;
        std::uint64_t tag = 0;
        std::memcpy(&tag, value.data(), sizeof tag);
        if (!data->matches(tag, value)) return op_status::wrong_reply;
        sum -= tag;
        ++found;
      }
      if (found < count) return op_status::not_found;
      return found == count && sum == 0 ? op_status::ok : op_status::wrong_reply;
    }
  };
  /// Lifetime: valid as long as this workload.
  checker check() const noexcept { return {&data_, count_}; }

 private:
  /// At least; otherwise as many as take up all that a key ring holds.
  static constexpr std::size_t fewest_batches = 64;

  std::span<const key> batch() const noexcept { return {&keys_[at_ * count_], count_}; }
  void advance() noexcept { at_ = at_ + 1 == sums_.size() ? 0 : at_ + 1; }
  void fill(const workload_settings& settings);

  data_set data_;
  std::uint32_t count_;
  std::vector<key> keys_;            ///< batch after batch
  std::vector<std::uint64_t> sums_;  ///< of the tags of each batch
  std::size_t at_ = 0;
};

}  // namespace dbdyno
