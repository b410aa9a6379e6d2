#pragma once

#include <chrono>
#include <mutex>
#include <shared_mutex>

#include "drivers/driver.hpp"

namespace dbdyno {

/// How the threads of a row open their connections: side by side, until a server has no room for one more.
/// Who was refused then waits for a turn alone, so that nobody else holds connections that will be given up.
///
/// A server may count connections that were closed just before, those of the row before or of an attempt that
/// failed: a refusal is final once it has had time to forget them.
/// Threads: every member from any thread; settled_by() and note_closing() only by whose turn it is.
class connecting_turns {
 public:
  std::shared_lock<std::shared_mutex> together() { return std::shared_lock(mutex_); }
  std::unique_lock<std::shared_mutex> alone() { return std::unique_lock(mutex_); }

  /// From when on the server has forgotten what nobody holds any more.
  time_point settled_by(std::chrono::milliseconds settling) {
    if (settled_by_ == time_point{}) note_closing(settling);
    return settled_by_;
  }
  /// Connections have been closed just now.
  void note_closing(std::chrono::milliseconds settling) {
    settled_by_ = std::chrono::steady_clock::now() + settling;
  }

 private:
  std::shared_mutex mutex_;
  time_point settled_by_{};
};

}  // namespace dbdyno
