#include "bench/preflight.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include "bench/key_ring.hpp"

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
  if (!is_networked(what)) return 0;
  return std::uint64_t{what.connections} * (what.storage == "mysql" ? 2 : 1) + 3ULL * what.threads;
}

std::uint64_t ports_of(const cell& what) {
  return what.via == transport::tcp ? what.connections : 0;
}

/// Of the harness, and about what the drivers hold for each request that may be in flight. What an
/// embedded storage itself holds is not in it.
std::uint64_t memory_of(const cell& what, const data_set& data) {
  constexpr std::uint64_t largest_window = 8192;
  constexpr std::uint64_t in_queue = 16;
  constexpr std::uint64_t in_driver = 256;
  constexpr std::uint64_t in_connection = 160ULL * 1024;
  const std::uint64_t window = std::min<std::uint64_t>(what.depth, largest_window);
  const std::uint64_t values = std::max<std::uint64_t>(1, what.multiget_keys);
  constexpr std::uint64_t in_multiget = 32;
  // Four histograms, of which few pages are touched.
  constexpr std::uint64_t in_thread = 1ULL << 20;
  const std::uint64_t ring = key_ring::size_for(data.keys(), what.order) * sizeof(key);
  return what.threads * (in_thread + ring) +
         what.connections *
             (in_connection + window * (in_driver + values * (in_multiget + data.largest_value())) +
              in_queue * what.depth);
}

/// The cell that asks for most; null where none asks for anything.
template <class Amount>
const cell* greediest(const run_plan& plan, Amount amount) {
  const cell* out = nullptr;
  std::uint64_t most = 0;
  for (const planned_cell& planned : plan.cells) {
    if (const std::uint64_t wanted = amount(planned.what); wanted > most) {
      most = wanted;
      out = &planned.what;
    }
  }
  return out;
}

}  // namespace

process_limits read_process_limits() {
  return {
      .open_files = raise_open_files(), .ephemeral_ports = count_ports(), .memory = read_available_memory()};
}

std::vector<std::string> check_limits(const run_plan& plan, const process_limits& limits,
                                      const data_set& data) {
  std::vector<std::string> out;
  if (const cell* const most = greediest(plan, files_of)) {
    const std::uint64_t files = files_of(*most) + other_files;
    if (files > limits.open_files) {
      out.push_back(
          fmt::format("{} needs {} open files, and this process may have {}; give fewer --connections, or "
                      "raise the limit "
                      "(ulimit -n {})",
                      most->id(), files, limits.open_files, files));
    }
  }
  if (const cell* const most = greediest(plan, ports_of); most && ports_of(*most) > limits.ephemeral_ports) {
    out.push_back(
        fmt::format("{} needs {} local ports, and there are {}; give fewer --connections, or widen the range "
                    "(sysctl net.ipv4.ip_local_port_range)",
                    most->id(), ports_of(*most), limits.ephemeral_ports));
  }
  const auto bytes_of = [&](const cell& what) { return memory_of(what, data); };
  if (const cell* const most = greediest(plan, bytes_of); most && bytes_of(*most) > limits.memory) {
    out.push_back(
        fmt::format("{} needs about {} MB of memory, and {} MB are available; give fewer --connections or "
                    "less --depth",
                    most->id(), bytes_of(*most) >> 20, limits.memory >> 20));
  }
  return out;
}

std::vector<std::string> foresee_refusals(const run_plan& plan, const connection_limit& server_takes) {
  std::map<std::string, const cell*> most;
  for (const planned_cell& planned : plan.cells) {
    if (!is_networked(planned.what)) continue;
    const cell*& known = most[planned.what.storage];
    if (known == nullptr || planned.what.connections > known->connections) known = &planned.what;
  }
  std::vector<std::string> out;
  for (const auto& [storage, what] : most) {
    const auto taken = server_takes(storage);
    if (!taken || what->connections <= *taken) continue;
    out.push_back(fmt::format(
        "{} asks for {} connections, and the server takes {}; it will refuse the others, which are counted. "
        "Give fewer --connections, or raise {}",
        what->id(), what->connections, *taken, storage == "redis" ? "maxclients" : "max_connections"));
  }
  return out;
}

}  // namespace dbdyno
