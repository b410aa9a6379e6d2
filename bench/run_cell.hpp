#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/driver_entry.hpp"
#include "bench/row_session.hpp"

namespace dbdyno {

/// For tests: the runner of "get/redis/wire/sync".
/// Errors: std::invalid_argument where there is none.
inline runner_entry find_runner(const std::string& name) {
  for (const driver_entry& driver : all_drivers()) {
    for (const runner_entry& runner : driver.runners) {
      if (name == std::string(runner.workload) + "/" + std::string(driver.storage) + "/" +
                      std::string(driver.name) + "/" + std::string(to_string(runner.mode)))
        return runner;
    }
  }
  throw std::invalid_argument("no cell " + name);
}

/// Runs one row with threads of its own.
inline row_result run_cell(thread_runner run, const row_plan& plan, watchdog& dog) {
  row_session session(plan, dog);
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < plan.what.threads; ++t)
      threads.emplace_back([&session, run, t] { run(session, t); });
  }
  return session.result();
}

}  // namespace dbdyno
