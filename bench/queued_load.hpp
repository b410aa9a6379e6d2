#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/tick_clock.hpp"

namespace dbdyno {

/// Closed loop of more requests than the driver takes at a time: those that it has no room for wait in a
/// queue of the application's, first come, first served. Each completed one is followed by a new one at the
/// queue's end. The time in the queue is part of a request's latency.
///
/// Holds when its requests were issued, which they are in bunches, and no more of them. All memory, 16 bytes
/// for each request outstanding, is taken at construction.
/// Units: ticks. Threads: one a thread.
class queued_load {
 public:
  static constexpr bool scheduled = false;
  static constexpr bool queues = true;
  using ticks = tick_clock::ticks;

  /// outstanding: requests issued and not completed, those in the driver included. requests: to be issued in
  /// all.
  queued_load(std::size_t outstanding, std::uint64_t requests) : bunches_(outstanding + 1), left_(requests) {}

  /// Issues all that may be outstanding; to be called once, first.
  void fill(ticks now) noexcept { issue(bunches_.size() - 1, now); }

  /// Of the request that the driver is handed next, when it was issued; there is one unless the queue is
  /// over().
  ticks due() const noexcept { return bunches_[head_].issued; }
  bool over() const noexcept { return head_ == tail_; }
  void take(ticks) noexcept {
    if (--bunches_[head_].requests == 0) head_ = after(head_);
  }

  /// So many more at the queue's end.
  void issue(std::uint64_t requests, ticks now) noexcept {
    requests = std::min(requests, left_);
    if (requests == 0) return;
    left_ -= requests;
    bunches_[tail_] = {now, requests};
    tail_ = after(tail_);
  }

  /// How long the requests in the queue have been there at `now`, all added up.
  ticks age(ticks now) const noexcept {
    ticks sum = 0;
    for (std::size_t i = head_; i != tail_; i = after(i))
      sum += (now - bunches_[i].issued) * bunches_[i].requests;
    return sum;
  }

 private:
  /// Requests issued at the same time.
  struct bunch {
    ticks issued = 0;
    std::uint64_t requests = 0;
  };

  std::size_t after(std::size_t i) const noexcept { return i + 1 == bunches_.size() ? 0 : i + 1; }

  std::vector<bunch> bunches_;  ///< a ring, with room for a bunch of each request
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::uint64_t left_;
};

}  // namespace dbdyno
