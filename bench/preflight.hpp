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

/// How many connections a storage's server takes; none where it does not say, or there is none.
using connection_limit = std::function<std::optional<std::uint64_t>(const std::string& storage)>;

/// What of the plan will not fit, a sentence for each thing, with both numbers and the cure. Cells that ask
/// for more connections than a server takes are left in: how it refuses the surplus is worth measuring.
struct preflight {
  std::vector<std::string> errors{};    ///< nothing can be measured so
  std::vector<std::string> warnings{};  ///< something will be refused, and counted
};
/// value_bytes: of the largest value.
preflight check_limits(const run_plan& plan, const process_limits& limits, std::size_t value_bytes,
                       const connection_limit& server_takes);

}  // namespace dbdyno
