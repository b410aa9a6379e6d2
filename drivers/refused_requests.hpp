#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "drivers/driver.hpp"

namespace dbdyno {

/// Requests that a driver took but will not send: every one of them still completes through poll, in the next
/// one.
///
/// Allocates at construction only.
class refused_requests {
 public:
  /// What last_error() says of too_large, which no server has a text for.
  static constexpr std::string_view too_large_text = "the value is longer than the driver was set up for";

  explicit refused_requests(std::size_t slots) { requests_.reserve(slots); }

  /// Out of line, so that its callers need not save what it would change.
  [[gnu::noinline, gnu::cold]] submitted add(slot s, op_status status) noexcept {
    requests_.push_back({s, status});
    if (status == op_status::too_large) why_ = too_large_text;
    if (status == op_status::unstorable) why_ = "the storage would keep another value";
    return submitted::queued;
  }

  /// Why the latest value was not sent; empty if every one was.
  std::string_view why() const noexcept { return why_; }

  /// Returns how many there were.
  template <class OnDone>
  unsigned complete(OnDone&& on_done) {
    if (requests_.empty()) [[likely]]
      return 0;
    for (const refused& r : requests_) on_done(r.which, r.status, std::string_view{});
    const auto done = static_cast<unsigned>(requests_.size());
    requests_.clear();
    return done;
  }

 private:
  struct refused {
    slot which;
    op_status status;
  };
  std::vector<refused> requests_;
  std::string_view why_;
};

}  // namespace dbdyno
