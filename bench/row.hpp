#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/allocation_counter.hpp"
#include "bench/cell.hpp"
#include "bench/error_budget.hpp"
#include "bench/key_order.hpp"
#include "bench/latencies.hpp"
#include "bench/load.hpp"
#include "bench/process_usage.hpp"
#include "bench/tally.hpp"
#include "bench/tcp_events.hpp"
#include "bench/thread_usage.hpp"
#include "bench/tick_clock.hpp"
#include "bench/traffic.hpp"
#include "bench/workload.hpp"
#include "drivers/connect_options.hpp"
#include "fixtures/data_set.hpp"
#include "fixtures/server_counter_reader.hpp"

namespace dbdyno {

/// Requests that are due by a schedule.
struct planned_rate {
  double per_second = 0;  ///< of all threads together
  arrivals kind = arrivals::constant;
};

/// One repetition of a cell, as planned.
struct row_plan {
  cell what{};
  unsigned repetition = 0;
  target where{};
  data_set data{};
  key_order order = key_order::uniform;
  mix_ratio ratio{};
  std::string rows{};        ///< the reference answer, of workloads that read rows, as a cell_block
  std::string cannot_run{};  ///< why the row errors before it begins; empty if it does not
  std::uint64_t seed = 1;
  tick_clock clock{};
  std::optional<planned_rate> rate{};       ///< an open loop; otherwise a closed one
  std::optional<std::uint64_t> requests{};  ///< exactly so many in all, no warm-up; otherwise:
  std::chrono::nanoseconds warmup{0};
  std::chrono::nanoseconds duration{0};
  /// No timed row: `requests` twice, of which the second ones are looked at; fewer where `warmup` and
  /// `duration` are over before.
  bool counts_allocations = false;
  std::chrono::milliseconds connect_timeout{3000};
  exchange_size exchange{};             ///< echo only
  bool spin = false;                    ///< the driver busy-polls, if it can
  std::vector<unsigned> client_cpus{};  ///< thread t runs on one of them; empty: on any
  unsigned server_cpus = 1;             ///< on how many the server can be at work at once for this row
  error_limit max_errors{};
  std::chrono::milliseconds first_reconnect_delay{1};  ///< doubled up to 1 s; 0 for none at all
  std::optional<pid_t> server{};  ///< the process behind `where`, if it is here and can be looked into
  /// Set where the server is ours alone, so that what it counts itself is this row's doing.
  server_counter_reader* counters = nullptr;
};

/// How an open loop kept to its schedule. Units: requests.
struct schedule_keeping {
  std::uint64_t late = 0;        ///< issued more than 100 us after they were due
  std::uint64_t never_sent = 0;  ///< due before the end of the window, but not issued
  /// How far behind the schedule the last of a given number of requests was issued; nothing is due after it,
  /// so there is no never_sent.
  std::optional<std::chrono::nanoseconds> lag{};
};

/// How long requests were in flight inside the window, all of them added up, beside how long there was a slot
/// for one: connections x depth, for as long as the connection was there. In a closed loop the two are equal.
struct residence {
  std::uint64_t requests = 0;  ///< completed inside the window, in whatever way
  std::chrono::nanoseconds time{0};
  std::chrono::nanoseconds room{0};
  /// Of `room`, what may have stood empty because nothing was left to be issued.
  std::chrono::nanoseconds tail{0};

  residence& operator+=(const residence& other) noexcept {
    requests += other.requests;
    time += other.time;
    room += other.room;
    tail += other.tail;
    return *this;
  }
};

/// What a window cost, the drain included but for the threads' own. What is not known is absent.
struct row_costs {
  thread_cost threads{};  ///< of all measuring threads, inside their windows
  /// CPU time / window of the busiest measuring thread; where threads share a CPU that they are bound to, of
  /// all those on the busiest one.
  double busiest_core = 0;
  bool spins = false;     ///< the client busy-polls: how busy it is says nothing
  process_cost client{};  ///< of this process
  process_cost server{};
  std::optional<double> server_cores{};  ///< CPU time of the server / the time between the readings of it
  unsigned server_cpus = 1;              ///< see row_plan
  std::optional<allocations> heap{};     ///< by the measuring threads; of a row that counts_allocations
  std::optional<traffic> bytes{};        ///< as the client's kernel counts them, or the server
  tcp_events tcp{};                      ///< of the whole machine

  /// How much of the CPU time that it can use the server took, from 0 to about 1.
  std::optional<double> server_busy() const noexcept {
    return server_cores ? std::optional(*server_cores / server_cpus) : std::nullopt;
  }
};

/// One repetition of a cell, as measured.
struct row_result {
  /// Every request issued in the window and, since the last of them complete after it, in the drain.
  tally counts{};
  latencies times{};
  schedule_keeping keeping{};
  std::uint64_t operations = 0;  ///< completed inside the window
  time_point begin{};            ///< of the window; the epoch if there was none
  /// The sum over the threads of operations / the thread's own window. All start together; the last reply
  /// that each waits for ends its window, so that one slow reply does not dilute what the others did.
  /// With a number of requests: all operations / the time from the first begin to the last end.
  double operations_per_second = 0;
  std::chrono::nanoseconds window{0};  ///< of the thread whose window was the longest
  residence in_flight{};
  row_costs costs{};
  std::vector<double> slices{};            ///< requests completed per second, in equal parts of the window
  std::chrono::nanoseconds connecting{0};  ///< until all connections of the slowest thread were up
  /// Connections that the server refused at first because it has as many as it takes; among counts' errors,
  /// each as one. The others went on.
  std::uint64_t refused_connections = 0;
  std::string refusal{};  ///< what it said
  std::uint64_t reconnects = 0;
  std::chrono::nanoseconds downtime{0};  ///< of all connections together, inside the window
  std::string error{};                   ///< why the row is no measurement; empty if it is one

  bool ok() const noexcept { return error.empty(); }
  /// Units: nanoseconds.
  double client_cpu_per_operation() const noexcept {
    return operations == 0 ? 0
                           : static_cast<double>(costs.threads.cpu.count()) / static_cast<double>(operations);
  }
};

}  // namespace dbdyno
