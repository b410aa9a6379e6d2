#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/plan.hpp"

namespace dbdyno {

/// What this process and machine allow. Units: descriptors, ports, bytes.
struct process_limits {
  std::uint64_t open_files = 0;
  std::uint64_t ephemeral_ports = 0;
  std::uint64_t memory = 0;  ///< that is available
};

/// Raises the limit of open files as far as this process may, and reads all of them. What cannot be read is
/// as good as unlimited.
process_limits read_process_limits();

/// What of the plan this process and machine have no room for, a sentence for each thing, with both numbers
/// and the cure: nothing can be measured so.
std::vector<std::string> check_limits(const run_plan& plan, const process_limits& limits,
                                      const data_set& data);

/// How many connections a storage's server takes; none where it does not say, or there is none.
using connection_limit = std::function<std::optional<std::uint64_t>(const std::string& storage)>;

/// The storages whose servers take fewer connections than the plan asks for, a sentence for each. The cells
/// are left in: how a server refuses the surplus is worth measuring.
std::vector<std::string> foresee_refusals(const run_plan& plan, const connection_limit& server_takes);

}  // namespace dbdyno
