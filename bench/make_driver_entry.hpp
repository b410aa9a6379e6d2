#pragma once

#include "bench/connect.hpp"
#include "bench/driver_entry.hpp"
#include "bench/get.hpp"
#include "bench/mix.hpp"
#include "bench/reconnecting.hpp"
#include "bench/rows.hpp"
#include "bench/run_thread.hpp"
#include "bench/set.hpp"

namespace dbdyno {
namespace detail {

template <driver_family Family, class Driver, class Workload>
runner_entry make_runner(mode m) {
  return {Workload::name, m, max_window_of<Driver>(), can_spin<Driver>(),
          run_thread<Family, Driver, Workload>};
}

template <driver_family Family, class Workload>
void add_runners(std::vector<runner_entry>& out) {
  if constexpr (has_sync<Family>)
    out.push_back(make_runner<Family, typename Family::sync, Workload>(mode::sync));
  if constexpr (has_pipeline<Family>) {
    out.push_back(make_runner<Family, typename Family::pipeline, Workload>(mode::pipeline));
  }
  if constexpr (has_async<Family>)
    out.push_back(make_runner<Family, typename Family::async, Workload>(mode::async));
}

template <class Family>
void add_multiget_runners(std::vector<runner_entry>& out) {
  if constexpr (has_sync<Family>) {
    if constexpr (multigets_in_sync<typename Family::sync>)
      out.push_back(make_runner<Family, typename Family::sync, multiget_workload>(mode::sync));
  }
  if constexpr (has_pipeline<Family>) {
    if constexpr (multigets_in_flight<typename Family::pipeline>)
      out.push_back(make_runner<Family, typename Family::pipeline, multiget_workload>(mode::pipeline));
  }
  if constexpr (has_async<Family>) {
    if constexpr (multigets_in_flight<typename Family::async>)
      out.push_back(make_runner<Family, typename Family::async, multiget_workload>(mode::async));
  }
}

template <class Family, rows_source From>
void add_rows_runners(std::vector<runner_entry>& out) {
  if constexpr (has_sync<Family>) {
    if constexpr (reads_rows_in_sync<typename Family::sync>)
      out.push_back(make_runner<Family, typename Family::sync, rows_workload<From>>(mode::sync));
  }
  if constexpr (has_async<Family>) {
    if constexpr (reads_rows_in_flight<typename Family::async>)
      out.push_back(make_runner<Family, typename Family::async, rows_workload<From>>(mode::async));
  }
}

/// What has no socket has no connection to open; an echo has nothing to get over one.
template <class Family>
void add_connect_runners(std::vector<runner_entry>& out) {
  if constexpr (Family::storage != "echo" && has_sync<Family>) {
    if constexpr (has_sockets<typename Family::sync>) {
      out.push_back(make_runner<Family, reconnecting<typename Family::sync>, connect_workload>(mode::sync));
    }
  }
  if constexpr (requires { typename Family::connecting; })
    out.push_back(make_runner<Family, typename Family::connecting, connect_workload>(mode::async));
}

}  // namespace detail

/// Instantiates every workload over every mode the family offers.
template <driver_family Family>
driver_entry make_driver_entry() {
  static_assert(
      has_sync<Family> || has_pipeline<Family> || has_async<Family>,
      "a driver family needs at least one of the types sync, pipeline, async, and they must satisfy "
      "sync_driver or in_flight_driver");
  // A type that falls short of its concept would be left out without a word.
  if constexpr (requires { typename Family::sync; }) static_assert(sync_driver<typename Family::sync>);
  if constexpr (requires { typename Family::pipeline; })
    static_assert(in_flight_driver<typename Family::pipeline>);
  if constexpr (requires { typename Family::async; }) {
    static_assert(in_flight_driver<typename Family::async>);
    static_assert(reopens_connections<typename Family::async>);
  }
  driver_entry out{Family::storage, Family::name, Family::version, {}};
  detail::add_runners<Family, get_workload>(out.runners);
  detail::add_runners<Family, set_workload>(out.runners);
  detail::add_runners<Family, mix_workload>(out.runners);
  detail::add_multiget_runners<Family>(out.runners);
  detail::add_rows_runners<Family, rows_source::table>(out.runners);
  if constexpr (Family::storage == "mysql") detail::add_rows_runners<Family, rows_source::view>(out.runners);
  detail::add_connect_runners<Family>(out.runners);
  return out;
}

}  // namespace dbdyno
