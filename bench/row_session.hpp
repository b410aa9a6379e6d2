#pragma once

#include <barrier>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/connecting_turns.hpp"
#include "bench/row.hpp"
#include "bench/watchdog.hpp"

namespace dbdyno {

/// What one thread of a row brings home from its measured window.
struct thread_result {
  tally counts{};  ///< the drain included
  latencies times{};
  schedule_keeping keeping{};
  std::uint64_t operations = 0;  ///< inside the window
  residence in_flight{};
  time_point begin{};
  time_point end{};
  thread_cost cost{};
  std::optional<allocations> heap{};
  std::optional<traffic> bytes{};
  std::chrono::nanoseconds connecting{0};
  std::uint64_t refused_connections = 0;
  std::uint64_t reconnects = 0;
  std::chrono::nanoseconds downtime{0};
};

/// What the threads of one row share: its plan, the start of its windows, its errors, its results.
///
/// Threads: every member may be called from every thread of the row, result() after they have all left.
class row_session {
 public:
  row_session(row_plan plan, watchdog& dog);

  const row_plan& plan() const noexcept { return plan_; }
  watchdog& dog() noexcept { return dog_; }
  std::chrono::milliseconds request_timeout() const noexcept { return dog_.timeout(); }

  /// This thread's part of `connections`, dealt as evenly as can be.
  std::uint64_t share_of_connections(std::uint64_t connections, unsigned thread) const noexcept;

  /// To be told before start_warmup() by every thread that has connections: the work of the row is dealt by
  /// them, so that each connection has as much to do.
  void hold(unsigned thread, std::uint32_t connections) noexcept { held_[thread] = connections; }
  /// A thread's part of the work. Units: connections.
  struct part_of_work {
    std::uint64_t all;     ///< of the row; not 0
    std::uint64_t before;  ///< of the threads with smaller numbers
    std::uint64_t own;
    /// Of something that is counted; those of all threads add up to it.
    std::uint64_t share(std::uint64_t total) const noexcept {
      return share_until(before + own, total) - share_until(before, total);
    }

   private:
    std::uint64_t share_until(std::uint64_t connections, std::uint64_t total) const noexcept {
      return total / all * connections + total % all * connections / all;
    }
  };
  /// From start_warmup() on.
  part_of_work part_of(unsigned thread) const noexcept;

  connecting_turns& turns() noexcept { return turns_; }

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
  /// Waits for all threads after their drains: what the row cost is read then.
  void end_window() { arrive(); }
  /// When the latest phase started. Units: ticks of plan().clock.
  tick_clock::ticks phase_begin() const noexcept { return phase_begin_; }

  /// The errors that this phase may have.
  error_budget& budget() noexcept { return *budget_; }
  /// What a thread has done in this phase, to be told before it waits for the next one: the row fails if all
  /// of them together are over the budget.
  /// cause: what is known of its latest error, or empty.
  void close_phase(const tally& counts, const std::string& cause);

  /// What a server said that takes no more connections; the first one stays.
  void note_refusal(std::string said);
  /// The first error stays and ends the row.
  void fail(std::string error);
  void finish(unsigned thread, thread_result result) { results_[thread] = std::move(result); }

  /// Takes the threads' results together; to be called once.
  row_result result();

 private:
  struct phase_starter {
    row_session* session;
    void operator()() const noexcept { session->start_next_phase(); }
  };
  enum class phase : std::uint8_t { warmup, window, end, over };
  bool arrive();
  void start_next_phase() noexcept;
  void judge_phase(phase over);
  struct meters {
    process_usage client{};
    process_usage server{};
    tcp_events tcp{};
    server_counters counters{};
  };
  /// Whether what things have cost is read before the server is asked what it has counted, or after.
  enum class meters_order : std::uint8_t { costs_first, costs_last };
  meters read_meters(meters_order order) const;
  void add_costs(row_result& out) const;

  row_plan plan_;
  watchdog& dog_;
  phase phase_ = phase::warmup;  // the one to come
  std::barrier<phase_starter> barrier_;
  std::once_flag shared_once_;
  std::shared_ptr<void> shared_;
  connecting_turns turns_;
  std::vector<std::uint32_t> held_;  // connections of each thread; read once all have arrived
  mutable std::mutex mutex_;         // guards what follows
  std::string error_;
  std::string refusal_;
  tally phase_counts_;
  std::string phase_cause_;
  bool goes_on_ = true;  // written while all threads wait at the barrier
  meters before_{};
  meters after_{};
  std::optional<error_budget> budget_;  // made anew for each phase, while all threads wait at the barrier
  tick_clock::ticks phase_begin_ = 0;
  std::vector<thread_result> results_;
};

}  // namespace dbdyno
