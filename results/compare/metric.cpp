#include "results/compare/metric.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace dbdyno::results {
namespace {

using unit = metric::unit;

constexpr std::array metrics{
    metric{"ops", "ops/s", unit::per_second, true, {}},
    metric{"p99", "p99", unit::nanoseconds, false, 99},
    metric{"client_cpu", "client CPU/op", unit::nanoseconds, false, {}},
    metric{"p50", "p50", unit::nanoseconds, false, 50},
    metric{"p90", "p90", unit::nanoseconds, false, 90},
    metric{"p999", "p99.9", unit::nanoseconds, false, 99.9},
    metric{"mean", "mean latency", unit::nanoseconds, false, {}},
    metric{"max", "max", unit::nanoseconds, false, {}},
    metric{"server_cpu", "server CPU/op", unit::nanoseconds, false, {}},
    metric{"allocs", "allocations/op", unit::number, false, {}},
    metric{"bytes", "bytes/op, both ways", unit::bytes, false, {}},
    metric{"real_time", "real time/iteration", unit::nanoseconds, false, {}},
    metric{"cpu_time", "CPU time/iteration", unit::nanoseconds, false, {}},
};

std::optional<double> counter(const row& from, const char* name) {
  const auto found = from.counters.find(name);
  return found == from.counters.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> raw_figure(const row& from, std::string_view name) {
  if (name == "ops") return counter(from, "items_per_second");
  if (name == "p50") return counter(from, "p50_ns");
  if (name == "p90") return counter(from, "p90_ns");
  if (name == "p99") return counter(from, "p99_ns");
  if (name == "p999") return counter(from, "p999_ns");
  if (name == "mean") return counter(from, "mean_ns");
  if (name == "max") return counter(from, "max_ns");
  if (name == "client_cpu") return counter(from, "client_cpu_ns_per_op");
  if (name == "server_cpu") return counter(from, "server_cpu_ns_per_op");
  if (name == "allocs") return counter(from, "allocs_per_op");
  if (name == "real_time") return from.real_time;
  if (name == "cpu_time") return from.cpu_time;
  const auto sent = counter(from, "bytes_sent_per_op");
  const auto received = counter(from, "bytes_received_per_op");
  return sent && received ? std::optional(*sent + *received) : std::nullopt;
}

bool is_time(const metric& of) {
  return of.in == unit::nanoseconds && of.name.find("cpu") == std::string_view::npos;
}

}  // namespace

std::string_view metric::word_for_more() const noexcept {
  if (higher_is_better) return "faster";
  return is_time(*this) ? "slower" : "more";
}

std::string_view metric::word_for_less() const noexcept {
  if (higher_is_better) return "slower";
  return is_time(*this) ? "faster" : "less";
}

std::span<const metric> all_metrics() noexcept {
  return metrics;
}

const metric* find_metric(std::string_view name) noexcept {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const metric& one) { return one.name == name || one.heading == name; });
  return found == metrics.end() ? nullptr : &*found;
}

std::optional<double> figure_of(const row& from, const metric& which) {
  const auto found = raw_figure(from, which.name);
  return found && std::isfinite(*found) ? found : std::nullopt;
}

}  // namespace dbdyno::results
