#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>

namespace dbdyno {

/// What the host has taken from this machine's CPUs since it started, all added up; 0 where it does not tell.
/// For tests of exact times, which only a machine of its own could keep each time. Source: proc(5),
/// /proc/stat, steal.
inline std::chrono::milliseconds stolen_time() {
  std::ifstream file("/proc/stat");
  std::string label;
  std::uint64_t ticks = 0;
  file >> label;
  constexpr int place_of_steal = 8;
  for (int i = 0; i < place_of_steal; ++i) file >> ticks;
  if (!file) return std::chrono::milliseconds(0);
  return std::chrono::milliseconds(ticks * 1000 / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK)));
}

/// Whether so much was taken that a test of exact times may have to run again.
class theft {
 public:
  bool noticed() const { return stolen_time() - before_ >= std::chrono::milliseconds(50); }

 private:
  std::chrono::milliseconds before_ = stolen_time();
};

}  // namespace dbdyno
