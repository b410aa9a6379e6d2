#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dbdyno {

/// "p99=5ms": which figure of the response time must not exceed what.
struct latency_limit {
  std::string figure{};  ///< p50, p90, p99, p999, mean or max
  std::uint64_t nanoseconds = 0;

  /// The result row's counter that holds it.
  std::string counter() const { return figure + "_ns"; }
};

/// Errors: usage_error that names `flag` and says what it takes.
latency_limit parse_latency_limit(std::string_view flag, std::string_view text);
/// As typed: "p99=5ms".
std::string to_string(const latency_limit& limit);

/// Looks for the highest rate of an open loop that keeps a limit: halves from the closed loop's rate down
/// until one does, then closes in from both sides until they are 2 % apart.
class max_rate_search {
 public:
  /// closed_loop: requests per second that a closed loop reaches; no open one gets far beyond.
  explicit max_rate_search(double closed_loop) noexcept;

  /// The rate to try next; none when the search is over.
  std::optional<double> next() const noexcept;
  /// Whether the rate of next() kept the limit.
  void tell(bool kept) noexcept;

  /// The highest rate that kept the limit, if any did.
  std::optional<double> knee() const noexcept { return kept_ > 0 ? std::optional(kept_) : std::nullopt; }

 private:
  static constexpr int max_steps = 16;

  double kept_ = 0;
  double broke_;
  double rate_;
  double lowest_;
  int steps_ = 0;
};

}  // namespace dbdyno
