#pragma once

#include <atomic>
#include <cstdint>
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
  explicit error_budget(error_limit limit) noexcept : limit_(limit) {}

  /// Returns whether the row may go on. A share can only be judged at the end.
  bool spend(std::uint64_t errors = 1) noexcept {
    const std::uint64_t spent = spent_.fetch_add(errors, std::memory_order_relaxed) + errors;
    return limit_.percent || spent <= limit_.requests;
  }

  /// issued, failed: of one thread, which a share is judged by.
  bool exceeded(std::uint64_t issued, std::uint64_t failed) const noexcept {
    if (!limit_.percent) return spent_.load(std::memory_order_relaxed) > limit_.requests;
    return static_cast<double>(failed) * 100 > *limit_.percent * static_cast<double>(issued);
  }

 private:
  const error_limit limit_;
  std::atomic<std::uint64_t> spent_{0};
};

}  // namespace dbdyno
