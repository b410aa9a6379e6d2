#include "results/exports/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "results/cell_group.hpp"
#include "results/cell_name.hpp"
#include "results/clean_text.hpp"
#include "results/schema.hpp"

namespace dbdyno::results {
namespace {

constexpr std::string_view line_end = "\r\n";

constexpr std::string_view first_columns[] = {
    "name",       "workload",    "storage",    "driver",       "mode",       "parameters",
    "repetition", "repetitions", "threads",    "verdict",      "reasons",    "error",
    "start_s",    "window_s",    "iterations", "real_time_ns", "cpu_time_ns"};

/// What dbdyno-bench counts, in the order of README.md.
constexpr std::string_view known_counters[] = {"items_per_second",
                                               "client_cpu_ns_per_op",
                                               "server_cpu_ns_per_op",
                                               "ops",
                                               "misses",
                                               "errors",
                                               "p50_ns",
                                               "p90_ns",
                                               "p99_ns",
                                               "p999_ns",
                                               "max_ns",
                                               "mean_ns",
                                               "allocs_per_op",
                                               "allocated_bytes_per_op",
                                               "bytes_sent_per_op",
                                               "bytes_received_per_op",
                                               "service_p50_ns",
                                               "service_p90_ns",
                                               "service_p99_ns",
                                               "service_p999_ns",
                                               "service_max_ns",
                                               "service_mean_ns",
                                               "connect_ns",
                                               "target_rate",
                                               "late",
                                               "never_sent",
                                               "client_core_busy",
                                               "server_cores_busy",
                                               "server_busy",
                                               "client_voluntary_switches_per_op",
                                               "client_involuntary_switches_per_op",
                                               "server_voluntary_switches_per_op",
                                               "server_involuntary_switches_per_op",
                                               "client_user_ns_per_op_sampled",
                                               "client_system_ns_per_op_sampled",
                                               "server_user_ns_per_op_sampled",
                                               "server_system_ns_per_op_sampled",
                                               "client_read_bytes_per_op",
                                               "client_written_bytes_per_op",
                                               "server_read_bytes_per_op",
                                               "server_written_bytes_per_op",
                                               "client_memory_growth_bytes",
                                               "server_memory_growth_bytes"};

template <std::size_t Size>
bool is_among(const std::string_view (&names)[Size], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string field(std::string_view text) {
  std::string clean = clean_text(text);
  if (clean.find_first_of(",\"") == std::string::npos) return clean;
  std::string out = "\"";
  for (const char c : clean) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string field(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? fmt::format("{}", *number) : "";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : "; ") + text;
  return out;
}

std::string parameters_of(const cell_name& name) {
  std::string out;
  for (const auto& [key, value] : name.parameters)
    out += fmt::format("{}{}:{}", out.empty() ? "" : "/", key, value);
  return out;
}

std::vector<std::string> counters_of(const run_file& run) {
  std::vector<std::string> out(std::begin(known_counters), std::end(known_counters));
  std::set<std::string> others;
  for (const row& each : run.rows) {
    if (each.kind) continue;
    for (const auto& [name, value] : each.counters) {
      if (!is_among(known_counters, name)) others.insert(name);
    }
  }
  out.insert(out.end(), others.begin(), others.end());
  return out;
}

std::string line(const row& figures, const cell* details, const std::vector<std::string>& counters) {
  const cell_name name = take_apart(figures.name);
  const verdict* const judged = details != nullptr && details->judged ? &*details->judged : nullptr;
  std::string out = field(figures.name);
  const auto add = [&out](const std::string& next) { out += "," + next; };
  add(field(name.mode.empty() ? "" : name.workload));
  add(field(name.storage));
  add(field(name.driver));
  add(field(name.mode));
  add(field(parameters_of(name)));
  add(std::to_string(figures.repetition));
  add(std::to_string(figures.repetitions));
  add(std::to_string(figures.threads));
  add(judged != nullptr ? std::string(to_string(judged->level)) : "");
  add(field(judged != nullptr ? joined(judged->reasons) : ""));
  add(field(figures.error_message.value_or("")));
  add(field(details != nullptr ? details->start_s : std::nullopt));
  add(field(details != nullptr ? details->window_s : std::nullopt));
  add(std::to_string(figures.iterations));
  add(field(figures.real_time));
  add(field(figures.cpu_time));
  for (const std::string& counter : counters) {
    const auto found = figures.counters.find(counter);
    add(field(found == figures.counters.end() ? std::nullopt : std::optional(found->second)));
  }
  return out;
}

}  // namespace

std::string csv_table(const run_file& run) {
  const auto counters = counters_of(run);
  std::string out;
  for (const std::string_view column : first_columns) out += (out.empty() ? "" : ",") + field(column);
  for (const std::string& counter : counters) {
    // A column's name is given once.
    out += "," + field(is_among(first_columns, counter) ? "counter_" + counter : counter);
  }
  out += line_end;

  std::unordered_map<const row*, const cell*> details;
  for (const cell_group& group : groups_of(run)) {
    for (const auto& each : group.repetitions) details[each.figures] = each.details;
  }
  for (const row& each : run.rows) {
    if (each.kind) continue;
    out += line(each, details.at(&each), counters);
    out += line_end;
  }
  return out;
}

}  // namespace dbdyno::results
