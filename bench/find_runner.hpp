#pragma once

#include <stdexcept>
#include <string>

#include "bench/driver_entry.hpp"

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

}  // namespace dbdyno
