#pragma once

#include "bench/driver_entry.hpp"
#include "bench/get.hpp"
#include "bench/mix.hpp"
#include "bench/run_thread.hpp"
#include "bench/set.hpp"

namespace dbdyno {
namespace detail {

template <driver_family Family, class Driver, class Workload>
runner_entry make_runner(mode m) {
  return {Workload::name, m, max_window_of<Driver>(), run_thread<Family, Driver, Workload>};
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
  return out;
}

}  // namespace dbdyno
