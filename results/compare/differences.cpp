#include "results/compare/differences.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

namespace dbdyno::results {
namespace {

/// What a run says of itself, by the name of the thing.
struct traits {
  std::map<std::string, std::string> harmless{};
  std::map<std::string, std::string> misleading{};
};

/// Options that say which cells there are, or how they were selected or ordered: what cells have in common is
/// compared nevertheless.
bool is_selection(const std::string& option) {
  static const std::set<std::string> selections{
      "benchmark_filter", "seed",   "repetitions", "connections", "depth", "threads", "transport",    "rate",
      "duration",         "warmup", "requests",    "layers",      "full",  "reuse",   "multiget-keys"};
  return selections.contains(option);
}

void put(std::map<std::string, std::string>& to, std::string name, const std::optional<std::string>& value) {
  if (value && !value->empty()) to.emplace(std::move(name), *value);
}

traits traits_of(const run_file& run) {
  traits out;
  const machine_info& machine = run.machine;
  put(out.harmless, "machine", machine.cpu_model);
  if (machine.cpu_count != 0) put(out.harmless, "CPUs", std::to_string(machine.cpu_count));
  put(out.harmless, "kernel", machine.kernel);
  put(out.harmless, "frequency governor", machine.governor);
  put(out.harmless, "compiler", machine.compiler);
  put(out.harmless, "Google Benchmark", run.context.library_version);
  put(out.harmless, "dbdyno", run.context.dbdyno_version);
  for (const auto& [library, version] : machine.libraries) put(out.harmless, library, version);
  put(out.harmless, "plan", run.plan.name);
  const bool is_ours = !run.plan.hash.empty();
  put(out.harmless, "hash of the plan", run.plan.hash);
  put(out.misleading, "build type", is_ours ? run.context.dbdyno_build_type : run.context.library_build_type);
  if (is_ours) {
    put(out.misleading, "pinning", machine.pinning.value_or("none"));
    for (const auto& [option, value] : run.plan.options) {
      if (option == "pin") continue;
      put(is_selection(option) ? out.harmless : out.misleading, "--" + option, value);
    }
    if (!run.plan.options.contains("spin")) put(out.misleading, "--spin", "0");
  }
  for (const target_info& target : run.targets) {
    put(out.harmless, target.storage + " server", target.server_version);
    for (const auto& [setting, value] : target.settings) {
      if (setting != "cpus_allowed") put(out.misleading, target.storage + " setting " + setting, value);
    }
  }
  return out;
}

void compare(const std::map<std::string, std::string>& first, const std::map<std::string, std::string>& other,
             bool misleads, const std::string& labels, std::vector<run_difference>& out) {
  for (const auto& [name, value] : first) {
    const auto found = other.find(name);
    if (found != other.end() && found->second != value)
      out.push_back({fmt::format("{}: {} / {}{}", name, value, found->second, labels), misleads});
  }
}

}  // namespace

std::vector<run_difference> differences(const std::vector<run_file>& runs,
                                        const std::vector<std::string>& labels) {
  std::vector<run_difference> out;
  if (runs.empty()) return out;
  const traits first = traits_of(runs.front());
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const traits other = traits_of(runs[i]);
    const std::string between = runs.size() > 2 ? fmt::format(" ({} / {})", labels.front(), labels[i]) : "";
    compare(first.misleading, other.misleading, true, between, out);
    compare(first.harmless, other.harmless, false, between, out);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].partial) out.push_back({fmt::format("{} ended before its plan did", labels[i]), false});
  }
  return out;
}

}  // namespace dbdyno::results
