#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "bench/driven_loop.hpp"
#include "bench/row_session.hpp"

namespace dbdyno {

/// One thread of a row, from connecting to the end of its drain. What goes wrong beyond the budget fails the
/// row.
class thread_run {
 public:
  /// Lifetime: `row` and `loop` outlive it.
  thread_run(row_session& row, unsigned thread, driven_loop& loop);

  void operator()();

 private:
  /// With as many connections as the server takes. Errors: as the driver's constructor.
  void connect();
  /// Returns how many connections there were when the server took no more; nothing where it took all.
  std::optional<std::uint32_t> try_connect();
  /// What is left of a row for a thread that has no connection.
  void stand_by();

  window_limits limits();
  any_load make_load(std::chrono::nanoseconds length, std::uint64_t requests) const;
  void warm_up();
  void measure(const std::optional<traffic>& bytes_before);
  /// A schedule's window ends when its next request would be due, not with the reply to the last one.
  void await_end(const open_load& schedule, const window_limits& until) const;
  void note_keeping(open_load& schedule, schedule_keeping& out) const;
  /// To be called between the window and its drain.
  residence residence_until(tick_clock::ticks now, const thread_result& result, const any_load& load);

  /// Runs a window through, connecting again as often as the budget allows.
  void run(const window_limits& until, tally& counts, any_load& load);
  /// What a window left in flight is awaited outside it.
  void settle(const window_limits& until, tally& counts, any_load& load);
  /// Tries every connection that is down once its time has come. Returns false when the window is over.
  bool reconnect(const window_limits& until, tally& counts);
  void reopen(std::uint32_t connection);
  /// A window without a length must not wait for ever for a server that is gone.
  bool was_cut_off_too_long(const window_limits& until);
  std::chrono::nanoseconds patience() const;
  bool never_came_back(const watchdog::watch& watching);
  std::string latest_error(const tally& counts) const;

  row_session& row_;
  const row_plan& plan_;
  const unsigned thread_;
  driven_loop& loop_;
  const driven_loop::traits traits_;
  connect_options options_;
  lost_connections lost_;
  std::atomic<std::uint64_t> progress_{0};
  std::optional<key_ring> keys_;
  latencies times_;
  std::optional<watchdog::sampled> sampled_;
  std::string connect_error_;
  std::chrono::nanoseconds connecting_{0};
  std::uint32_t refused_ = 0;  ///< connections that the server had no room for
};

}  // namespace dbdyno
