#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "bench/tick_clock.hpp"
#include "drivers/driver.hpp"

namespace dbdyno {

/// Which connections of one thread are down, since when, and when each is to be tried again: at once after
/// `first_delay`, then after twice as long each time, a second at most. Once a connection has held for longer
/// than the pause before it, the pauses start anew.
///
/// Allocates at construction only.
class lost_connections {
 public:
  using ticks = tick_clock::ticks;

  /// window: slots of each connection.
  lost_connections(std::uint32_t connections, std::uint32_t window, ticks first_delay, ticks longest_delay)
      : window_(window), first_delay_(first_delay), longest_delay_(longest_delay), states_(connections) {
    held_.reserve(std::size_t{connections} * window);
    returned_.reserve(held_.capacity());
  }

  std::uint32_t connection_of(slot s) const noexcept { return s / window_; }

  void lose(std::uint32_t connection, ticks now) noexcept {
    state& it = states_[connection];
    if (it.down) return;
    it.down = true;
    it.delay = now - it.since > it.delay ? first_delay_ : longer(it.delay);
    it.since = now;
    it.retry = now + it.delay;
    ++down_;
  }

  bool any() const noexcept { return down_ != 0; }
  bool all() const noexcept { return down_ == states_.size(); }
  /// Since when no connection has been up; only while all() are down.
  ticks all_since() const noexcept {
    ticks latest = 0;
    for (const state& it : states_) latest = std::max(latest, it.since);
    return latest;
  }
  /// Whether a connection is to be tried now.
  bool due(ticks now) const noexcept { return down_ != 0 && next_due(now + 1) <= now; }
  /// When the next connection is to be tried, or `otherwise`, whichever is earlier.
  ticks next_due(ticks otherwise) const noexcept {
    if (down_ == 0) return otherwise;
    for (const state& it : states_) {
      if (it.down) otherwise = std::min(otherwise, it.retry);
    }
    return otherwise;
  }

  /// Calls attempt(connection), which returns whether it is up again, for every connection that is due.
  /// clock_now: called after each attempt, which may take long.
  template <class Attempt, class ClockNow>
  void try_due(Attempt&& attempt, ClockNow&& clock_now) {
    const ticks begin = clock_now();
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      state& it = states_[i];
      if (!it.down || it.retry > begin) continue;
      const bool up = attempt(i);
      const ticks now = clock_now();
      if (up) {
        restore(i, now);
      } else {
        it.delay = longer(it.delay);
        it.retry = now + it.delay;
      }
    }
  }

  /// Sorts the slots of lost connections out of [begin, end); returns the new end.
  slot* hold(slot* begin, slot* end) noexcept {
    return std::remove_if(begin, end, [this](slot s) {
      if (!states_[connection_of(s)].down) return false;
      held_.push_back(s);
      return true;
    });
  }
  std::size_t slots_held() const noexcept { return held_.size() + returned_.size(); }
  /// Appends the slots of restored connections to `end`; returns the new one.
  slot* take_back(slot* end) noexcept {
    end = std::copy(returned_.begin(), returned_.end(), end);
    returned_.clear();
    return end;
  }

  /// Sets idle[s] for every slot held.
  void mark_held(std::vector<char>& idle) const noexcept {
    for (const slot s : held_) idle[s] = true;
    for (const slot s : returned_) idle[s] = true;
  }

  /// How often a connection was made anew.
  std::uint64_t restored() const noexcept { return restored_; }
  /// The sum over all connections of the time between loss and restoration, or `now` where it is still down.
  ticks downtime(ticks now) const noexcept {
    ticks sum = downtime_;
    for (const state& it : states_) {
      if (it.down) sum += now - it.since;
    }
    return sum;
  }
  /// Forgets what was counted, not what is down.
  void reset_counts(ticks now) noexcept {
    restored_ = downtime_ = 0;
    for (state& it : states_) {
      if (it.down) it.since = now;
    }
  }

 private:
  struct state {
    bool down = false;
    ticks since = 0;  ///< when it came down, or up
    ticks retry = 0;
    ticks delay = 0;  ///< before the latest attempt
  };

  ticks longer(ticks delay) const noexcept {
    return first_delay_ == 0 ? 0 : std::min(std::max(delay * 2, first_delay_), longest_delay_);
  }

  void restore(std::uint32_t connection, ticks now) noexcept {
    state& it = states_[connection];
    it.down = false;
    downtime_ += now - it.since;
    it.since = now;
    ++restored_;
    --down_;
    const auto mine = std::stable_partition(held_.begin(), held_.end(),
                                            [&](slot s) { return connection_of(s) != connection; });
    returned_.insert(returned_.end(), mine, held_.end());
    held_.erase(mine, held_.end());
  }

  std::uint32_t window_;
  ticks first_delay_;
  ticks longest_delay_;
  std::vector<state> states_;
  std::size_t down_ = 0;
  std::vector<slot> held_;      ///< of connections that are down
  std::vector<slot> returned_;  ///< of connections restored since take_back
  std::uint64_t restored_ = 0;
  ticks downtime_ = 0;
};

}  // namespace dbdyno
