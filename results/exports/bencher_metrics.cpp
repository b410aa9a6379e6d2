#include "results/exports/bencher_metrics.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace dbdyno::results {
namespace {

using json = nlohmann::ordered_json;

/// Slugs of Bencher's, which are lower case and have hyphens, and our counters.
constexpr std::pair<const char*, const char*> measures[] = {{"throughput", "items_per_second"},
                                                            {"latency-p50", "p50_ns"},
                                                            {"latency-p90", "p90_ns"},
                                                            {"latency-p99", "p99_ns"},
                                                            {"latency-p999", "p999_ns"},
                                                            {"service-time-p50", "service_p50_ns"},
                                                            {"service-time-p99", "service_p99_ns"},
                                                            {"client-cpu", "client_cpu_ns_per_op"},
                                                            {"server-cpu", "server_cpu_ns_per_op"},
                                                            {"allocations", "allocs_per_op"}};

}  // namespace

std::optional<std::string> bencher_metrics(const std::vector<benchmark_figures>& benchmarks) {
  auto out = json::object();
  for (const benchmark_figures& each : benchmarks) {
    auto metrics = json::object();
    for (const auto& [slug, counter] : measures) {
      const auto found = each.figures.find(counter);
      if (found == each.figures.end()) continue;
      json metric{{"value", found->second.value}};
      if (const auto& range = found->second.range) {
        metric["lower_value"] = range->first;
        metric["upper_value"] = range->second;
      }
      metrics[slug] = std::move(metric);
    }
    if (!metrics.empty()) out[each.label] = std::move(metrics);
  }
  if (out.empty()) return std::nullopt;
  return out.dump(2) + "\n";
}

}  // namespace dbdyno::results
