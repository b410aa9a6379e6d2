#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

namespace dbdyno {

/// How many requests of a row may fail until it is no measurement.
struct error_limit {
  std::uint64_t requests = 0;
  std::optional<double> percent{};  ///< of the requests issued; instead of `requests`
};

/// What one row has spent of its limit.
///
/// Threads: any.
class error_budget {
 public:
  /// requests: how many the row will issue, if that is known; a share has a number then.
  explicit error_budget(error_limit limit, std::optional<std::uint64_t> requests = {}) noexcept
      : limit_(limit), most_(most(limit, requests)) {}

  /// Returns whether the row may go on. A share of an unknown number can only be judged at the end.
  bool spend(std::uint64_t errors = 1) noexcept {
    return spent_.fetch_add(errors, std::memory_order_relaxed) + errors <= most_;
  }

  /// issued: by the whole row.
  bool exceeded(std::uint64_t issued) const noexcept {
    const std::uint64_t spent = spent_.load(std::memory_order_relaxed);
    return limit_.percent ? static_cast<double>(spent) * 100 > *limit_.percent * static_cast<double>(issued)
                          : spent > limit_.requests;
  }

 private:
  static std::uint64_t most(const error_limit& limit, std::optional<std::uint64_t> requests) noexcept {
    if (!limit.percent) return limit.requests;
    if (!requests) return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(*limit.percent / 100 * static_cast<double>(*requests));
  }

  const error_limit limit_;
  const std::uint64_t most_;
  std::atomic<std::uint64_t> spent_{0};
};

}  // namespace dbdyno
