#include "results/exports/prometheus_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "results/cell_name.hpp"
#include "results/clean_text.hpp"
#include "results/latency_record.hpp"
#include "results/local_time.hpp"

namespace dbdyno::results {
namespace {

constexpr double ns_per_s = 1e9;

struct gauge {
  const char* counter;
  const char* name;
  const char* help;
  double per_unit = 1;  ///< of the counter's units one of the metric's
};
constexpr gauge gauges[] = {
    {"target_rate", "dbdyno_target_operations_per_second", "Requests due per second in an open loop."},
    {"client_cpu_ns_per_op", "dbdyno_client_cpu_seconds_per_operation",
     "CPU time of the client per completed operation.", ns_per_s},
    {"server_cpu_ns_per_op", "dbdyno_server_cpu_seconds_per_operation",
     "CPU time of the server per completed operation.", ns_per_s},
    {"max_ns", "dbdyno_latency_max_seconds", "The longest latency, exactly.", ns_per_s},
    {"service_max_ns", "dbdyno_service_time_max_seconds", "The longest service time, exactly.", ns_per_s},
    {"connect_ns", "dbdyno_connect_seconds", "Time until all connections were up.", ns_per_s},
    {"allocs_per_op", "dbdyno_allocations_per_operation", "Heap allocations of the client per request."},
    {"allocated_bytes_per_op", "dbdyno_allocated_bytes_per_operation",
     "Bytes of heap that the client asked for per request."},
    {"bytes_sent_per_op", "dbdyno_sent_bytes_per_operation", "Bytes sent per operation, without headers."},
    {"bytes_received_per_op", "dbdyno_received_bytes_per_operation",
     "Bytes received per operation, without headers."},
    {"client_core_busy", "dbdyno_client_core_busy_ratio",
     "CPU time by wall time of the busiest measuring thread, or of those that share a CPU."},
    {"server_busy", "dbdyno_server_busy_ratio", "CPU time by wall time and CPU of the server."},
};

using labels = std::vector<std::pair<std::string, std::string>>;

std::string escaped(std::string_view value) {
  std::string out;
  for (const char c : clean_text(value)) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

std::string in_braces(const labels& all) {
  std::string out;
  for (const auto& [name, value] : all) {
    // To Prometheus an empty label is none.
    if (!value.empty()) out += fmt::format("{}{}=\"{}\"", out.empty() ? "{" : ",", name, escaped(value));
  }
  return out.empty() ? out : out + "}";
}

labels with(labels all, const char* name, std::string value) {
  all.emplace_back(name, std::move(value));
  return all;
}

/// The text's families, one after another.
class exposition {
 public:
  /// Samples that are added from now on are of this family. It is there only if it has any.
  void begin(std::string name, std::string_view type, std::string_view help) {
    name_ = std::move(name);
    head_ = fmt::format("# HELP {} {}\n# TYPE {} {}\n", name_, help, name_, type);
  }
  void add(const labels& of, double value, std::string_view suffix = "") {
    text_ += std::exchange(head_, "");
    text_ += fmt::format("{}{}{} {}\n", name_, suffix, in_braces(of), value);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string name_{}, head_{}, text_{};
};

/// A parameter's name as a label's; `taken` has those of the benchmark so far.
std::string label_name(std::string_view parameter, std::set<std::string>& taken) {
  std::string name(parameter);
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!plain) c = '_';
  }
  const bool legal_start = !(name.front() >= '0' && name.front() <= '9') && !name.starts_with("__");
  if (!legal_start || taken.contains(name)) name.insert(0, "parameter_");
  while (!taken.insert(name).second) name += '_';
  return name;
}

labels labels_of(const benchmark_figures& of) {
  labels out{{"benchmark", of.label}};
  const cell_name name = take_apart(of.name);
  if (name.mode.empty()) return out;
  out.insert(
      out.end(),
      {{"workload", name.workload}, {"storage", name.storage}, {"driver", name.driver}, {"mode", name.mode}});
  // Those of ours, and what Prometheus itself puts on samples.
  std::set<std::string> taken{"benchmark", "workload", "storage", "driver", "mode",    "standing",
                              "class",     "quantile", "le",      "job",    "instance"};
  for (const auto& [key, value] : name.parameters) out.emplace_back(label_name(key, taken), value);
  return out;
}

/// "0.99" of "p99_ns", none of a counter that is no percentile.
std::optional<std::string> quantile_of(std::string_view counter) {
  if (!is_latency_counter(counter) || counter.front() != 'p') return std::nullopt;
  std::string digits(counter.substr(1, counter.find('_') - 1));
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits.empty() ? std::nullopt : std::optional("0." + digits);
}

void add_summary(exposition& to, const labels& of, const benchmark_figures& from, std::string_view prefix,
                 const std::optional<latency_totals>& totals) {
  std::map<std::string, double> quantiles;
  for (const auto& [counter, figure] : from.figures) {
    if (!counter.starts_with(prefix)) continue;
    if (const auto quantile = quantile_of(std::string_view(counter).substr(prefix.size())))
      quantiles[*quantile] = figure.value / ns_per_s;
  }
  for (const auto& [quantile, value] : quantiles) to.add(with(of, "quantile", quantile), value);
  if (!totals) return;
  to.add(of, static_cast<double>(totals->sum_ns) / ns_per_s, "_sum");
  to.add(of, static_cast<double>(totals->count), "_count");
}

void add_run(exposition& to, const run_file& run) {
  labels about;
  const auto add = [&about](const char* name, const std::string& value) {
    if (!value.empty()) about.emplace_back(name, value);
  };
  add("date", run.context.date);
  add("host", run.machine.host_name);
  add("executable", run.context.executable);
  add("dbdyno_version", run.context.dbdyno_version);
  add("build_type", run.context.dbdyno_build_type);
  add("cpu_model", run.machine.cpu_model.value_or(""));
  add("kernel", run.machine.kernel.value_or(""));
  add("pinning", run.machine.pinning.value_or(""));
  add("plan", run.plan.name);
  add("plan_hash", run.plan.hash);
  add("imported_from", run.imported ? run.imported->format : "");
  to.begin("dbdyno_run_info", "gauge", "What was run where, and when; always 1.");
  to.add(about, 1);
  to.begin("dbdyno_run_partial", "gauge", "Whether the run ended before its plan did.");
  to.add({}, run.partial ? 1 : 0);
  to.begin("dbdyno_run_start_timestamp_seconds", "gauge", "When the run started, seconds since 1970.");
  if (const auto start = parse_local_time(run.context.date)) to.add({}, static_cast<double>(*start));

  to.begin("dbdyno_target_info", "gauge", "A server or directory that was measured; always 1.");
  std::set<std::string> storages;
  for (const target_info& each : run.targets) {
    if (!storages.insert(clean_text(each.storage)).second) continue;
    to.add({{"storage", each.storage},
            {"server_version", each.server_version.value_or("")},
            {"throwaway", each.throwaway ? "true" : "false"}},
           1);
  }
}

struct sampled {
  const benchmark_figures* of = nullptr;
  labels with{};
};

void add_figure(exposition& to, const std::vector<sampled>& all, const char* counter, double per_unit = 1) {
  for (const sampled& each : all) {
    const auto found = each.of->figures.find(counter);
    if (found != each.of->figures.end()) to.add(each.with, found->second.value / per_unit);
  }
}

void add_throughput(exposition& to, const std::vector<sampled>& all) {
  constexpr const char* name = "dbdyno_operations_per_second";
  constexpr const char* counter = "items_per_second";
  to.begin(name, "gauge", "Completed operations per second, the median of the repetitions that count.");
  add_figure(to, all, counter);
  for (const bool highest : {false, true}) {
    to.begin(fmt::format("{}_{}", name, highest ? "highest" : "lowest"), "gauge",
             fmt::format("The same of the repetition where it was {}.", highest ? "highest" : "lowest"));
    for (const sampled& each : all) {
      const auto found = each.of->figures.find(counter);
      if (found == each.of->figures.end() || !found->second.range) continue;
      to.add(each.with, highest ? found->second.range->second : found->second.range->first);
    }
  }
}

}  // namespace

std::string prometheus_text(const run_file& run, const std::vector<benchmark_figures>& benchmarks) {
  std::vector<sampled> all;
  std::transform(benchmarks.begin(), benchmarks.end(), std::back_inserter(all),
                 [](const benchmark_figures& each) { return sampled{.of = &each, .with = labels_of(each)}; });
  exposition out;
  add_run(out, run);
  out.begin("dbdyno_repetitions", "gauge",
            "Repetitions by standing: unjudged, valid, suspect; invalid and failed ones do not count.");
  for (const sampled& each : all) {
    for (const auto& [level, count] : each.of->repetitions)
      out.add(with(each.with, "standing", std::string(to_string(level))), count);
  }
  out.begin("dbdyno_failed_requests", "gauge", "Requests that failed, by class, of all repetitions.");
  for (const sampled& each : all) {
    for (const auto& [name, count] : each.of->errors)
      out.add(with(each.with, "class", name), static_cast<double>(count));
  }
  add_throughput(out, all);
  out.begin("dbdyno_latency_seconds", "summary",
            "Latency of the repetitions that count, together; in an open loop from when a request was due.");
  for (const sampled& each : all) add_summary(out, each.with, *each.of, "", each.of->latency);
  out.begin("dbdyno_service_time_seconds", "summary",
            "Time from when the driver was handed a request, where it may have waited before.");
  for (const sampled& each : all) add_summary(out, each.with, *each.of, "service_", each.of->service);
  for (const gauge& each : gauges) {
    out.begin(each.name, "gauge", each.help);
    add_figure(out, all, each.counter, each.per_unit);
  }
  return std::move(out).text();
}

}  // namespace dbdyno::results
