#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <exception>
#include <optional>
#include <string>

#include "bench/in_flight_loop.hpp"
#include "bench/key_ring.hpp"
#include "bench/row_session.hpp"
#include "bench/sync_loop.hpp"
#include "drivers/driver.hpp"

namespace dbdyno {
namespace detail {

inline std::chrono::nanoseconds thread_cpu_time() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

inline connect_options thread_options(const row_session& row, unsigned thread, bool writes,
                                      std::uint32_t max_window) {
  const row_plan& plan = row.plan();
  connect_options options;
  options.where = plan.where;
  options.connections = plan.what.mode == mode::async
                            ? static_cast<std::uint32_t>(row.share(plan.what.connections, thread))
                            : 1;
  options.window = std::min(plan.what.depth, max_window);
  options.writes = writes;
  options.value_size = plan.data.value_size();
  options.connect_timeout = plan.connect_timeout;
  return options;
}

template <class Driver>
consteval std::uint32_t max_window_of() {
  if constexpr (in_flight_driver<Driver>) {
    return Driver::max_window;
  } else {
    return 1;
  }
}

/// Sets one value and waits until that is done, whichever mode the driver has.
template <class Driver>
void set_and_wait(Driver& driver, const key& k, std::string_view value) {
  if constexpr (sync_driver<Driver>) {
    driver.set(k, value);
  } else {
    driver.submit_set(0, k, value);
    driver.poll(time_point::max(), [](slot, op_status, std::string_view) {});
  }
}

/// What goes wrong here shows as misses in the timed loop.
template <class Driver>
void fill_private_storage(Driver& driver, const data_set& data) {
  std::string value(data.value_size(), '\0');
  for (std::uint32_t id = 1; id <= data.keys(); ++id) {
    data.fill_value(id, value.data());
    set_and_wait(driver, data.make_key(id), value);
  }
}

/// "1 disconnected: Connection reset by peer", "1 timeout: no reply within 5 s"
template <class Driver>
std::string describe_failure(const Driver& driver, const tally& counts, const watchdog& dog) {
  std::string out;
  for (std::size_t i = 0; i < op_status_count; ++i) {
    const auto status = static_cast<op_status>(i);
    if (!is_error(status) || counts.of(status) == 0) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", counts.of(status), to_string(status));
  }
  // What the library says then is only how it took the interruption.
  if (counts.of(op_status::timeout) != 0) {
    const double seconds = std::chrono::duration<double>(dog.timeout()).count();
    return fmt::format("{}: no reply within {:g} s", out, seconds);
  }
  const std::string text = driver.last_error();
  return text.empty() ? out : fmt::format("{}: {}", out, text);
}

}  // namespace detail

/// One thread of a row, from connecting to disconnecting. Never throws: what goes wrong fails the row.
///
/// A private storage is filled before the warm-up.
template <driver_family Family, class Driver, class Workload>
void run_thread(row_session& row, unsigned thread) {
  const row_plan& plan = row.plan();
  const connect_options options =
      detail::thread_options(row, thread, Workload::writes, detail::max_window_of<Driver>());
  std::optional<Driver> connected;
  std::optional<key_ring> keys;
  try {
    if constexpr (requires { typename Family::shared; }) {
      connected.emplace(options, row.shared<typename Family::shared>(options));
    } else {
      connected.emplace(options);
    }
    if constexpr (is_private_storage<Family>()) detail::fill_private_storage(*connected, plan.data);
    keys.emplace(plan.data, plan.seed, thread);
  } catch (const std::exception& error) {
    row.fail(error.what());
  }

  // Generations of this run and thread must differ from those that an earlier run left in the target.
  const auto run =
      static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count() >> 16);
  Workload workload(plan.data, run * 64 + thread);
  std::atomic<std::uint64_t> progress{0};
  const window_limits limits{row.dog().stop(),
                             plan.requests ? row.share(*plan.requests, thread) : window_limits::unlimited,
                             std::chrono::steady_clock::now() + std::chrono::hours(24)};

  const auto run_windows = [&](auto& run_loop, auto& drain) {
    Driver& driver = *connected;
    if (!plan.requests && plan.warmup.count() > 0) {
      const watchdog::watch watching(row.dog(), driver, progress);
      tally ignored;
      run_loop(ignored);
      drain();
      if (watching.timed_out()) ignored.blame_timeout();
      if (ignored.errors() != 0) {
        row.fail("while warming up: " + detail::describe_failure(driver, ignored, row.dog()));
      }
    }
    if (!row.start_window()) return;
    thread_result result;
    const watchdog::watch watching(row.dog(), driver, progress);
    const auto cpu_begin = detail::thread_cpu_time();
    result.begin = std::chrono::steady_clock::now();
    run_loop(result.counts);
    result.end = std::chrono::steady_clock::now();
    result.cpu = detail::thread_cpu_time() - cpu_begin;
    if (result.counts.errors() != 0) {
      if (watching.timed_out()) result.counts.blame_timeout();
      row.fail(detail::describe_failure(driver, result.counts, row.dog()));
    } else {
      drain();
    }
    row.finish(thread, result);
  };

  if (!row.start_warmup()) return;
  if constexpr (sync_driver<Driver>) {
    key_ring::cursor next_key = keys->begin();
    auto run_loop = [&](tally& counts) {
      run_sync_loop(*connected, workload, next_key, limits, counts, progress);
    };
    auto drain = [] {};
    run_windows(run_loop, drain);
  } else {
    in_flight_loop<Driver, Workload> loop(*connected, workload, keys->begin(),
                                          options.connections * options.window);
    auto run_loop = [&](tally& counts) { loop.run(limits, counts, progress); };
    auto drain = [&] { loop.drain(limits.wait_until); };
    run_windows(run_loop, drain);
  }
}

}  // namespace dbdyno
