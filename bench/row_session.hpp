#pragma once

#include <barrier>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bench/row.hpp"
#include "bench/watchdog.hpp"

namespace dbdyno {

/// What one thread of a row brings home from its measured window.
struct thread_result {
  tally counts{};
  time_point begin{};
  time_point end{};
  std::chrono::nanoseconds cpu{0};
};

/// What the threads of one row share: its plan, the start of its windows, its errors, its results.
///
/// Threads: every member may be called from every thread of the row, result() after they have all left.
class row_session {
 public:
  row_session(row_plan plan, watchdog& dog);

  const row_plan& plan() const noexcept { return plan_; }
  watchdog& dog() noexcept { return dog_; }

  /// This thread's part of `total`, dealt as evenly as can be.
  std::uint64_t share(std::uint64_t total, unsigned thread) const noexcept;

  /// The one `Shared` of this row, constructed from `options` by whoever comes first.
  template <class Shared>
  Shared& shared(const connect_options& options) {
    std::call_once(shared_once_, [&] { shared_ = std::make_shared<Shared>(options); });
    return *static_cast<Shared*>(shared_.get());
  }

  /// Waits for all threads, then starts the warm-up (once all are connected) or the measured window.
  /// Returns false if the row has failed or was interrupted: then nobody goes on.
  bool start_warmup() { return arrive(); }
  bool start_window() { return arrive(); }

  /// The first error stays and ends the row.
  void fail(std::string error);
  void finish(unsigned thread, const thread_result& result) { results_[thread] = result; }

  row_result result() const;

 private:
  struct phase_starter {
    row_session* session;
    void operator()() noexcept { session->start_next_phase(); }
  };
  bool arrive();
  void start_next_phase() noexcept;

  row_plan plan_;
  watchdog& dog_;
  int phase_ = 0;
  std::barrier<phase_starter> barrier_;
  std::once_flag shared_once_;
  std::shared_ptr<void> shared_;
  mutable std::mutex mutex_;  // guards error_
  std::string error_;
  bool goes_on_ = true;  // written while all threads wait at the barrier
  std::vector<thread_result> results_;
};

}  // namespace dbdyno
