#pragma once

#include "results/histogram.hpp"

namespace dbdyno {

/// How long the requests of one window took, by what became of them.
///
/// In a closed loop a request starts when its predecessor in the slot was dealt with: what the harness itself
/// does in between counts, as it would for any user. In an open loop it starts when the schedule says, before
/// a queue when it enters that. Units: nanoseconds. Threads: one a thread, merged at the end.
struct latencies {
  results::histogram ok{};
  results::histogram
      service{};  ///< of `ok` too, from when the request was in fact issued; where requests may queue
  results::histogram missed{};
  results::histogram failed{};

  void clear() noexcept {
    ok.clear();
    service.clear();
    missed.clear();
    failed.clear();
  }
  void merge(const latencies& other) noexcept {
    ok.merge(other.ok);
    service.merge(other.service);
    missed.merge(other.missed);
    failed.merge(other.failed);
  }
};

}  // namespace dbdyno
