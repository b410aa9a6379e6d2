#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dbdyno::results {

struct cpu_cache {
  std::string type;  ///< "Data", "Instruction" or "Unified"
  unsigned level = 0;
  std::uint64_t size = 0;    ///< bytes
  unsigned num_sharing = 0;  ///< CPUs that share it

  bool operator==(const cpu_cache&) const = default;
};

/// What machine a run was made on. What could not be found out is absent, never guessed.
struct machine_info {
  std::string host_name;
  std::optional<std::string> cpu_model;
  unsigned cpu_count = 0;               ///< CPUs on line; 0 if unknown
  std::optional<unsigned> cpu_mhz;      ///< the highest frequency, or the one the kernel states
  std::vector<cpu_cache> caches;        ///< of the first CPU
  std::optional<bool> virtualised;      ///< a hypervisor announces itself; x86 only
  std::optional<std::string> governor;  ///< of frequency scaling; several are joined by commas
  std::optional<std::string> kernel;    ///< release
  std::optional<std::uint64_t> memory_bytes;

  // The program adds what only it knows.
  std::string compiler;                          ///< name and version
  std::optional<std::string> pinning;            ///< which CPUs client and server were bound to
  std::map<std::string, std::string> libraries;  ///< client library: version

  bool operator==(const machine_info&) const = default;
};

/// Describes this machine from what the kernel shows under /proc and /sys of `root`. Never fails.
machine_info read_machine(const std::filesystem::path& root = "/");

/// The 1, 5 and 15 minute load averages; empty where the kernel shows none.
std::vector<double> read_load_averages(const std::filesystem::path& root = "/");

}  // namespace dbdyno::results
