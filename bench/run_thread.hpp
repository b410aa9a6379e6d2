#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <exception>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
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
op_status set_and_wait(Driver& driver, const key& k, std::string_view value) {
  if constexpr (sync_driver<Driver>) {
    return driver.set(k, value);
  } else {
    op_status out = op_status::unsent;
    driver.submit_set(0, k, value);
    driver.poll(time_point::max(), [&](slot, op_status status, std::string_view) { out = status; });
    return out;
  }
}

/// Errors: std::runtime_error when the driver does not take a value, or a signal came.
template <class Driver>
void fill_private_storage(Driver& driver, const data_set& data, const watchdog& dog) {
  std::string value(data.value_size(), '\0');
  for (std::uint32_t id = 1; id <= data.keys(); ++id) {
    data.fill_value(id, value.data());
    const op_status status = set_and_wait(driver, data.make_key(id), value);
    if (status != op_status::ok)
      throw std::runtime_error(fmt::format("cannot be filled: {}", to_string(status)));
    if (dog.signal() != 0) throw std::runtime_error("interrupted");
  }
}

template <class Driver, class Workload>
auto make_loop(Driver& driver, Workload& workload, const key_ring& keys, std::atomic<std::uint64_t>& progress,
               const connect_options& options) {
  if constexpr (sync_driver<Driver>) {
    return std::make_unique<sync_loop<Driver, Workload>>(driver, workload, keys.begin(), progress);
  } else {
    return std::make_unique<in_flight_loop<Driver, Workload>>(
        driver, workload, keys.begin(), progress, std::size_t{options.connections} * options.window);
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

/// One thread of a row, from connecting to disconnecting. What goes wrong fails the row.
///
/// A private storage is filled before the warm-up.
template <driver_family Family, class Driver, class Workload>
void run_thread(row_session& row, unsigned thread) {
  const row_plan& plan = row.plan();
  const connect_options options =
      detail::thread_options(row, thread, Workload::writes, detail::max_window_of<Driver>());
  std::atomic<std::uint64_t> progress{0};
  std::optional<Driver> driver;
  std::optional<key_ring> keys;
  std::optional<Workload> workload;
  decltype(detail::make_loop(*driver, *workload, *keys, progress, options)) loop;
  try {
    if constexpr (requires { typename Family::shared; }) {
      driver.emplace(options, row.shared<typename Family::shared>(options));
    } else {
      driver.emplace(options);
    }
    if constexpr (is_private_storage<Family>()) detail::fill_private_storage(*driver, plan.data, row.dog());
    keys.emplace(plan.data, plan.seed, thread);
    // Drawn, so that what this thread writes differs from what others write and earlier runs have left.
    workload.emplace(plan.data, std::random_device()());
    loop = detail::make_loop(*driver, *workload, *keys, progress, options);
  } catch (const std::exception& error) {
    row.fail(error.what());
  }
  if (!row.start_warmup()) return;

  const auto wait_until = std::chrono::steady_clock::now() + std::chrono::hours(24 * 365);
  const window_limits limits{row.dog().stop(),
                             plan.requests ? row.share(*plan.requests, thread) : window_limits::unlimited,
                             wait_until};
  // What a window left in flight is awaited outside it; what goes wrong there fails the row as well.
  const auto settle = [&](tally& counts, const watchdog::watch& watching, const std::string& when) {
    loop->drain(wait_until, counts);
    if (watching.timed_out()) counts.blame_timeout();
    if (counts.errors() != 0) row.fail(when + detail::describe_failure(*driver, counts, row.dog()));
  };

  thread_result result;
  if (!plan.requests && plan.warmup.count() > 0) {
    const watchdog::watch watching(row.dog(), *driver, progress);
    tally warmup;
    loop->run(limits, warmup);
    settle(warmup, watching, "while warming up: ");
    result.counts = warmup.only_errors();
    row.finish(thread, result);
  }
  if (!row.start_window()) return;
  const watchdog::watch watching(row.dog(), *driver, progress);
  const auto cpu_begin = detail::thread_cpu_time();
  result.begin = std::chrono::steady_clock::now();
  loop->run(limits, result.counts);
  result.end = std::chrono::steady_clock::now();
  result.cpu = detail::thread_cpu_time() - cpu_begin;
  settle(result.counts, watching, "");
  row.finish(thread, result);
}

}  // namespace dbdyno
