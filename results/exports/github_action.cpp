#include "results/exports/github_action.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <span>

namespace dbdyno::results {
namespace {

using json = nlohmann::ordered_json;

struct entry_kind {
  const char* counter;
  const char* name;
  const char* unit;
};
constexpr entry_kind costs[] = {{"p50_ns", "p50", "ns"},
                                {"p99_ns", "p99", "ns"},
                                {"client_cpu_ns_per_op", "client CPU", "ns/op"},
                                {"server_cpu_ns_per_op", "server CPU", "ns/op"}};
constexpr entry_kind rates[] = {{"items_per_second", "throughput", "ops/s"}};

std::string behind(const benchmark_figures& of) {
  if (of.repetitions.empty()) return "a statistic of the file";
  std::string out = "repetitions:";
  for (const auto& [level, count] : of.repetitions) out += fmt::format(" {} {}", count, to_string(level));
  return out;
}

std::optional<std::string> entries(const std::vector<benchmark_figures>& benchmarks,
                                   std::span<const entry_kind> kinds) {
  auto out = json::array();
  for (const benchmark_figures& each : benchmarks) {
    for (const entry_kind& kind : kinds) {
      const auto found = each.figures.find(kind.counter);
      if (found == each.figures.end()) continue;
      json entry{{"name", each.label + " " + kind.name}, {"unit", kind.unit}, {"value", found->second.value}};
      if (const auto& range = found->second.range)
        entry["range"] = fmt::format("{} to {}", range->first, range->second);
      entry["extra"] = behind(each);
      out.push_back(std::move(entry));
    }
  }
  if (out.empty()) return std::nullopt;
  return out.dump(2) + "\n";
}

}  // namespace

std::optional<std::string> github_action_smaller(const std::vector<benchmark_figures>& benchmarks) {
  return entries(benchmarks, costs);
}

std::optional<std::string> github_action_bigger(const std::vector<benchmark_figures>& benchmarks) {
  return entries(benchmarks, rates);
}

}  // namespace dbdyno::results
