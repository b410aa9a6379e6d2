#include "bench/preflight.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include "bench/figures.hpp"

namespace dbdyno {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
/// Standard streams, the result file, probes, event loops and a duplicate here and there.
constexpr std::uint64_t other_files = 64;

std::uint64_t raise_open_files() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return unlimited;
  const rlim_t before = files.rlim_cur;
  files.rlim_cur = files.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &files) != 0) files.rlim_cur = before;
  return files.rlim_cur == RLIM_INFINITY ? unlimited : files.rlim_cur;
}

std::uint64_t count_ports() {
  std::ifstream in("/proc/sys/net/ipv4/ip_local_port_range");
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  return in >> first >> last && last >= first ? last - first + 1 : unlimited;
}

std::uint64_t read_available_memory() {
  std::ifstream in("/proc/meminfo");
  std::string name;
  std::uint64_t kilobytes = 0;
  std::string unit;
  while (in >> name >> kilobytes >> unit) {
    if (name == "MemAvailable:") return kilobytes * 1024;
  }
  return unlimited;
}

bool is_networked(const cell& what) {
  return what.via != transport::in_process;
}

/// Descriptors of one connection: its socket, and with libmariadb a duplicate.
std::uint64_t files_of(const cell& what) {
  return std::uint64_t{what.connections} * (what.storage == "mysql" ? 2 : 1) + 3ULL * what.threads;
}

/// Of the harness, and about what the drivers hold for each request that may be in flight.
std::uint64_t memory_of(const cell& what, std::size_t value_bytes) {
  constexpr std::uint64_t largest_window = 8192;
  constexpr std::uint64_t in_queue = 16;
  constexpr std::uint64_t in_driver = 256;
  constexpr std::uint64_t in_connection = 160 * 1024;
  const std::uint64_t window = std::min<std::uint64_t>(what.depth, largest_window);
  const std::uint64_t values = std::max<std::uint64_t>(1, what.multiget_keys);
  constexpr std::uint64_t in_multiget = 32;
  return what.connections * (in_connection + window * (in_driver + values * (in_multiget + value_bytes)) +
                             in_queue * what.depth);
}

/// The cell that asks for most.
template <class Amount>
const cell* greediest(const run_plan& plan, Amount amount) {
  const cell* out = nullptr;
  for (const planned_cell& planned : plan.cells) {
    if (is_networked(planned.what) && (out == nullptr || amount(planned.what) > amount(*out)))
      out = &planned.what;
  }
  return out;
}

}  // namespace

process_limits read_process_limits() {
  return {
      .open_files = raise_open_files(), .ephemeral_ports = count_ports(), .memory = read_available_memory()};
}

preflight check_limits(const run_plan& plan, const process_limits& limits, std::size_t value_bytes,
                       const connection_limit& server_takes) {
  preflight out;
  const cell* const most_files = greediest(plan, files_of);
  if (most_files == nullptr) return out;
  if (const std::uint64_t files = files_of(*most_files) + other_files; files > limits.open_files) {
    out.errors.push_back(
        fmt::format("{} needs {} open files, and this process may have {}; give fewer "
                    "--connections, or raise the limit (ulimit -n {})",
                    most_files->id(), files, limits.open_files, files));
  }
  const auto ports_of = [](const cell& what) {
    return what.via == transport::tcp ? std::uint64_t{what.connections} : 0;
  };
  if (const cell* most = greediest(plan, ports_of); ports_of(*most) > limits.ephemeral_ports) {
    out.errors.push_back(
        fmt::format("{} needs {} local ports, and there are {}; give fewer --connections, or widen "
                    "the range (sysctl net.ipv4.ip_local_port_range)",
                    most->id(), ports_of(*most), limits.ephemeral_ports));
  }
  const auto bytes_of = [&](const cell& what) { return memory_of(what, value_bytes); };
  const cell* const heaviest = greediest(plan, bytes_of);
  if (const std::uint64_t bytes = bytes_of(*heaviest); bytes > limits.memory) {
    out.errors.push_back(
        fmt::format("{} needs about {} MB of memory, and {} MB are available; give fewer "
                    "--connections or less --depth",
                    heaviest->id(), bytes >> 20, limits.memory >> 20));
  }
  std::map<std::string, const cell*> most;
  for (const planned_cell& planned : plan.cells) {
    const cell*& known = most[planned.what.storage];
    if (is_networked(planned.what) && (known == nullptr || planned.what.connections > known->connections))
      known = &planned.what;
  }
  for (const auto& [storage, what] : most) {
    const auto taken = what == nullptr ? std::nullopt : server_takes(storage);
    if (!taken || what->connections <= *taken) continue;
    out.warnings.push_back(fmt::format(
        "{} asks for {} connections, and the server takes {}; it will refuse the others, "
        "which are counted. Give fewer --connections, or raise {}",
        what->id(), what->connections, *taken, storage == "redis" ? "maxclients" : "max_connections"));
  }
  return out;
}

}  // namespace dbdyno
