#pragma once

#include <cstdint>
#include <string_view>

#include "bench/get.hpp"
#include "bench/set.hpp"

namespace dbdyno {

/// Gets and sets in turn, by a ratio that every stretch of requests keeps: 9 gets and a set, 9 gets and a
/// set.
class mix_workload {
 public:
  static constexpr std::string_view name = "mix";
  static constexpr bool writes = true;

  explicit mix_workload(const workload_settings& settings)
      : get_(settings),
        set_(settings),
        sets_(settings.ratio.sets),
        all_(std::uint64_t{settings.ratio.gets} + settings.ratio.sets) {
    advance();
  }

  template <sync_driver D>
  op_status run(D& driver, const key& k) noexcept {
    was_set_ = next_is_set_;
    advance();
    return was_set_ ? set_.run(driver, k) : get_.run(driver, k);
  }
  bool wrote() const noexcept { return was_set_; }

  /// A set's reply holds no value whose tag could be checked.
  std::uint64_t tag_of(const key& k) const noexcept { return next_is_set_ ? no_tag : k.tag(); }
  static bool is_write(std::uint64_t tag) noexcept { return tag == no_tag; }

  template <in_flight_driver D>
  submitted submit(D& driver, slot s, const key& k) noexcept {
    const submitted taken = next_is_set_ ? set_.submit(driver, s, k) : get_.submit(driver, s, k);
    if (taken == submitted::queued) [[likely]]
      advance();
    return taken;
  }

  struct checker {
    get_workload::checker get;

    op_status operator()(std::uint64_t tag, op_status status, std::string_view value) const noexcept {
      return tag == no_tag ? status : get(tag, status, value);
    }
  };
  checker check() const noexcept { return {get_.check()}; }

 private:
  /// Tags are text, so none of them is 0.
  static constexpr std::uint64_t no_tag = 0;

  /// Bresenham's way to spread the sets evenly.
  void advance() noexcept {
    owed_ += sets_;
    next_is_set_ = owed_ >= all_;
    if (next_is_set_) owed_ -= all_;
  }

  get_workload get_;
  set_workload set_;
  std::uint64_t sets_;
  std::uint64_t all_;
  std::uint64_t owed_ = 0;
  bool next_is_set_ = false;
  bool was_set_ = false;
};

}  // namespace dbdyno
