#pragma once

#include <fmt/format.h>

#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "bench/driven_loop.hpp"
#include "bench/handicap.hpp"
#include "bench/in_flight_loop.hpp"
#include "bench/multiget.hpp"
#include "bench/sync_loop.hpp"
#include "bench/thread_run.hpp"
#include "drivers/driver.hpp"

namespace dbdyno {
namespace detail {

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
  std::string value(data.largest_value(), '\0');
  for (std::uint32_t id = 1; id <= data.keys(); ++id) {
    const op_status status = set_and_wait(driver, data.make_key(id), data.fill_value(id, value.data()));
    if (status != op_status::ok)
      throw std::runtime_error(fmt::format("cannot be filled: {}", to_string(status)));
    if (dog.signal() != 0) throw std::runtime_error("interrupted");
  }
}

template <class Driver, class Workload, class Load>
struct loop_for {
  using type = sync_loop<Driver, Workload, Load, loop_clock<Load>>;
};
template <in_flight_driver Driver, class Workload, class Load>
struct loop_for<Driver, Workload, Load> {
  using type = in_flight_loop<Driver, Workload, Load, loop_clock<Load>>;
};

template <driver_family Family, class Driver, class Workload, class Load>
class typed_loop final : public driven_loop {
 public:
  traits what() const noexcept override {
    return {.max_window = max_window_of<Driver>(),
            .writes = Workload::writes,
            .queues = std::is_same_v<Load, queued_load>,
            .reopens_connections = reopens_connections<Driver>,
            .multigets = std::is_same_v<Workload, multiget_workload>,
            .rows_from = rows_from()};
  }

  void connect(row_session& row, const connect_options& options) override {
    if constexpr (requires { typename Family::shared; }) {
      driver_.emplace(options, row.shared<typename Family::shared>(options));
    } else {
      driver_.emplace(options);
    }
  }
  void disconnect() noexcept override { driver_.reset(); }
  bool connected() const noexcept override { return driver_.has_value(); }
  void reopen(std::uint32_t connection, std::chrono::milliseconds limit) override {
    if constexpr (reopens_connections<Driver>) driver_->reopen(connection, limit);
  }

  void prepare(row_session& row, unsigned thread, key_ring::cursor keys, std::atomic<std::uint64_t>& progress,
               lost_connections& lost, std::size_t slots) override {
    const row_plan& plan = row.plan();
    if constexpr (is_private_storage<Family>() && !requires { Workload::rows_from; })
      fill_private_storage(*driver_, plan.data, row.dog());
    // Drawn, so that what this thread writes differs from what others write and earlier runs have left.
    workload_.emplace(workload_settings{.data = plan.data,
                                        .writer = std::random_device()(),
                                        .ratio = plan.ratio,
                                        .multiget_keys = plan.what.multiget_keys,
                                        .order = plan.order,
                                        .seed = plan.seed,
                                        .thread = thread,
                                        .rows = &plan.rows,
                                        .render = plan.what.render});
    if constexpr (sync_driver<Driver>) {
      loop_.emplace(*driver_, *workload_, plan.clock, keys, progress, lost);
    } else {
      loop_.emplace(*driver_, *workload_, plan.clock, keys, progress, lost, slots);
    }
  }

  loop_end run(const window_limits& limits, tally& counts, latencies& times, any_load& load) override {
    return loop_->run(limits, counts, times, std::get<Load>(load));
  }
  void drain(const window_limits& limits, tally& counts, latencies& times, any_load& load) override {
    loop_->drain(limits, counts, times, std::get<Load>(load));
  }
  tick_clock::ticks age_of_in_flight(tick_clock::ticks now) noexcept override {
    return loop_->age_of_in_flight(now);
  }

  std::optional<traffic> bytes() const override {
    if constexpr (has_sockets<Driver>) {
      if (driver_) return read_traffic(driver_->sockets());
    }
    return std::nullopt;
  }
  void interrupt() noexcept override { driver_->interrupt(); }
  std::string last_error() const override { return driver_ ? driver_->last_error() : ""; }

 private:
  static std::optional<rows_source> rows_from() noexcept {
    if constexpr (requires { Workload::rows_from; }) return Workload::rows_from;
    return std::nullopt;
  }

  // Made anew in place: the loop keeps its reference.
  std::optional<Driver> driver_;
  std::optional<Workload> workload_;
  std::optional<typename loop_for<Driver, Workload, Load>::type> loop_;
};

}  // namespace detail

/// One thread of a row. A private storage is filled before the warm-up.
template <driver_family Family, class Driver, class Workload>
void run_thread(row_session& row, unsigned thread) {
  const auto run = [&]<class Load>() {
    detail::typed_loop<Family, Driver, Workload, Load> loop;
    thread_run(row, thread, loop)();
  };
  if (row.plan().rate) return run.template operator()<open_load>();
  if constexpr (in_flight_driver<Driver>) {
    if (row.plan().what.depth > Driver::max_window) return run.template operator()<queued_load>();
  }
  run.template operator()<closed_load>();
}

}  // namespace dbdyno
