#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "drivers/op_status.hpp"

namespace dbdyno {

/// How many requests ended how. Units: requests.
class tally {
 public:
  void count(op_status status, std::uint64_t requests = 1) noexcept {
    counts_[static_cast<std::size_t>(status)] += requests;
  }

  std::uint64_t of(op_status status) const noexcept { return counts_[static_cast<std::size_t>(status)]; }
  std::uint64_t operations() const noexcept { return of(op_status::ok); }
  std::uint64_t misses() const noexcept { return of(op_status::not_found); }
  std::uint64_t errors() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts_) sum += count;
    return sum - operations() - misses();
  }

  /// Units: requests that were issued, or would have been, had there been a connection.
  std::uint64_t issued() const noexcept { return issued_; }
  void issue(std::uint64_t requests) noexcept { issued_ += requests; }

  /// A request that the server refused, with its text, of which the code is kept: "ERR", "1040".
  void refuse(std::string_view text) {
    ++refusals_[std::string(text.substr(0, std::min(text.find_first_of(" :\t\r\n"), longest_code)))];
  }
  /// How many requests the server refused with which code.
  const std::map<std::string, std::uint64_t>& refusals() const noexcept { return refusals_; }

  /// Whether every request that was issued is counted exactly once.
  bool balanced() const noexcept { return operations() + misses() + errors() == issued_; }

  tally& operator+=(const tally& other) noexcept {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    issued_ += other.issued_;
    for (const auto& [code, requests] : other.refusals_) refusals_[code] += requests;
    return *this;
  }

 private:
  static constexpr std::size_t longest_code = 32;

  std::array<std::uint64_t, op_status_count> counts_{};
  std::uint64_t issued_ = 0;
  std::map<std::string, std::uint64_t> refusals_;
};

}  // namespace dbdyno
