#include "results/run_file_writer.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "results/atomic_file.hpp"
#include "results/clean_text.hpp"
#include "results/schema.hpp"

namespace dbdyno::results {
namespace {

using json = nlohmann::ordered_json;

json strings(const std::vector<std::string>& values) {
  auto array = json::array();
  for (const auto& value : values) array.push_back(clean_text(value));
  return array;
}

json strings(const std::map<std::string, std::string>& values) {
  auto object = json::object();
  for (const auto& [key, value] : values) object[clean_text(key)] = clean_text(value);
  return object;
}

void set_if_present(json& object, const char* key, const std::optional<std::string>& value) {
  if (value) object[key] = clean_text(*value);
}

template <class Value>
void set_if_present(json& object, const char* key, const std::optional<Value>& value) {
  if (value) object[key] = *value;
}

json caches_json(const std::vector<cpu_cache>& caches) {
  auto array = json::array();
  for (const auto& cache : caches) {
    array.push_back({{"type", clean_text(cache.type)},
                     {"level", cache.level},
                     {"size", cache.size},
                     {"num_sharing", cache.num_sharing}});
  }
  return array;
}

/// Of an imported run: what its program told.
json known_context_json(const run_context& context, const machine_info& machine) {
  auto object = json::object();
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) object[key] = clean_text(value);
  };
  add("date", context.date);
  add("host_name", machine.host_name);
  add("executable", context.executable);
  if (machine.cpu_count != 0) object["num_cpus"] = machine.cpu_count;
  set_if_present(object, "mhz_per_cpu", machine.cpu_mhz);
  if (!machine.caches.empty()) object["caches"] = caches_json(machine.caches);
  if (!context.load_avg.empty()) object["load_avg"] = context.load_avg;
  add("library_version", context.library_version);
  add("library_build_type", context.library_build_type);
  return object;
}

json context_json(const run_context& context, const machine_info& machine) {
  json object;
  object["date"] = clean_text(context.date);
  object["host_name"] = clean_text(machine.host_name);
  object["executable"] = clean_text(context.executable);
  object["num_cpus"] = machine.cpu_count;
  set_if_present(object, "mhz_per_cpu", machine.cpu_mhz);
  object["cpu_scaling_enabled"] = machine.governor && *machine.governor != "performance";
  object["caches"] = caches_json(machine.caches);
  object["load_avg"] = json::array();
  for (const double average : context.load_avg) {
    if (std::isfinite(average)) object["load_avg"].push_back(average);
  }
  object["library_version"] = clean_text(context.library_version);
  object["library_build_type"] = clean_text(context.library_build_type);
  object["dbdyno_version"] = clean_text(context.dbdyno_version);
  object["dbdyno_build_type"] = clean_text(context.dbdyno_build_type);
  return object;
}

/// Stock readers look a time up in every row, so an absent one is the 0 that Google Benchmark writes after an
/// error.
double time_or_zero(const std::optional<double>& time) {
  return time && std::isfinite(*time) ? *time : 0.0;
}

json row_json(const row& r, std::size_t family_index) {
  const auto name = clean_text(r.name);
  json object;
  object["name"] = r.kind ? name + "_" + std::string(to_string(*r.kind)) : name;
  object["family_index"] = family_index;
  object["per_family_instance_index"] = 0;
  object["run_name"] = name;
  object["run_type"] = r.kind ? "aggregate" : "iteration";
  object["repetitions"] = r.repetitions;
  if (!r.kind) object["repetition_index"] = r.repetition;
  object["threads"] = r.threads;
  if (r.kind) {
    object["aggregate_name"] = to_string(*r.kind);
    object["aggregate_unit"] = *r.kind == statistic::cv ? "percentage" : "time";
  }
  if (r.error_message) {
    object["error_occurred"] = true;
    object["error_message"] = clean_text(*r.error_message);
  }
  object["iterations"] = r.iterations;
  object["real_time"] = time_or_zero(r.real_time);
  object["cpu_time"] = time_or_zero(r.cpu_time);
  object["time_unit"] = "ns";
  for (const auto& [counter, value] : r.counters) {
    if (is_reserved_row_key(counter)) throw std::invalid_argument("a counter may not be named " + counter);
    if (std::isfinite(value)) object[clean_text(counter)] = value;
  }
  return object;
}

json rows_json(const std::vector<row>& rows) {
  std::unordered_map<std::string_view, std::size_t> families;
  auto array = json::array();
  for (const auto& r : rows) {
    array.push_back(row_json(r, families.try_emplace(r.name, families.size()).first->second));
  }
  return array;
}

json machine_json(const machine_info& machine, const std::string& build_type) {
  json object;
  set_if_present(object, "cpu_model", machine.cpu_model);
  object["cpu_count"] = machine.cpu_count;
  set_if_present(object, "virtualised", machine.virtualised);
  set_if_present(object, "governor", machine.governor);
  set_if_present(object, "kernel", machine.kernel);
  set_if_present(object, "memory_bytes", machine.memory_bytes);
  set_if_present(object, "pinning", machine.pinning);
  object["compiler"] = clean_text(machine.compiler);
  object["build_type"] = clean_text(build_type);
  object["libraries"] = strings(machine.libraries);
  return object;
}

json targets_json(const std::vector<target_info>& targets) {
  auto array = json::array();
  for (const auto& target : targets) {
    json object;
    object["storage"] = clean_text(target.storage);
    object["url"] = clean_text(target.url);
    object["throwaway"] = target.throwaway;
    set_if_present(object, "server_version", target.server_version);
    object["transports"] = strings(target.transports);
    object["settings"] = strings(target.settings);
    array.push_back(std::move(object));
  }
  return array;
}

json plan_json(const plan_info& plan) {
  json object;
  object["name"] = clean_text(plan.name);
  object["hash"] = clean_text(plan.hash);
  object["seed"] = plan.seed;
  object["options"] = strings(plan.options);
  object["order"] = json::array();
  for (const auto& step : plan.order) {
    object["order"].push_back({{"name", clean_text(step.name)}, {"repetition", step.repetition}});
  }
  return object;
}

json histograms_json(const std::map<std::string, latency_record>& histograms) {
  auto object = json::object();
  for (const auto& [kind, record] : histograms) {
    if (record.count == 0) continue;
    object[clean_text(kind)] = {{"encoding", histogram_encoding}, {"data", clean_text(record.data)},
                                {"count", record.count},          {"max_ns", record.max_ns},
                                {"sum_ns", record.sum_ns},        {"clamped", record.clamped}};
  }
  return object;
}

json cells_json(const std::vector<cell>& cells) {
  auto array = json::array();
  for (const auto& c : cells) {
    json object;
    object["name"] = clean_text(c.name);
    object["repetition"] = c.repetition;
    if (c.judged) {
      object["verdict"] = {{"level", to_string(c.judged->level)}, {"reasons", strings(c.judged->reasons)}};
    }
    object["errors"] = json::object();
    for (const auto& [error_class, count] : c.errors) object["errors"][clean_text(error_class)] = count;
    if (!c.refusals.empty()) {
      object["refusals"] = json::object();
      for (const auto& [code, count] : c.refusals) object["refusals"][clean_text(code)] = count;
    }
    if (c.requests) {
      object["requests"] = {{"issued", c.requests->issued},
                            {"ok", c.requests->ok},
                            {"missed", c.requests->missed},
                            {"unknown", c.requests->unknown},
                            {"unsent", c.requests->unsent}};
    }
    if (c.reconnects) object["reconnects"] = *c.reconnects;
    if (c.downtime_s && std::isfinite(*c.downtime_s)) object["downtime_s"] = *c.downtime_s;
    if (!c.slices.empty()) {
      object["slices"] = json::array();
      for (const double rate : c.slices) object["slices"].push_back(std::isfinite(rate) ? rate : 0);
    }
    if (c.start_s && std::isfinite(*c.start_s)) object["start_s"] = *c.start_s;
    if (c.window_s && std::isfinite(*c.window_s)) object["window_s"] = *c.window_s;
    object["histograms"] = histograms_json(c.histograms);
    array.push_back(std::move(object));
  }
  return array;
}

json searches_json(const std::vector<rate_search>& searches) {
  auto array = json::array();
  for (const auto& s : searches) {
    json object;
    object["name"] = clean_text(s.name);
    object["limit"] = clean_text(s.limit);
    object["steps"] = json::array();
    for (const auto& step : s.steps) {
      json one{{"rate", step.rate}, {"kept", step.kept}};
      if (step.figure && std::isfinite(*step.figure)) one["figure_ns"] = *step.figure;
      object["steps"].push_back(std::move(one));
    }
    if (s.knee && std::isfinite(*s.knee)) object["knee"] = *s.knee;
    if (!s.stopped.empty()) object["stopped"] = clean_text(s.stopped);
    array.push_back(std::move(object));
  }
  return array;
}

json layers_json(const std::vector<layers>& splits) {
  auto array = json::array();
  for (const auto& split : splits) {
    json object{{"name", clean_text(split.name)}, {"metric", clean_text(split.metric)}};
    const auto add = [&](const char* layer, const std::optional<interval_estimate>& estimate) {
      if (!estimate || !std::isfinite(estimate->mean) || !std::isfinite(estimate->high)) return;
      object[layer] = {{"mean_ns", estimate->mean}, {"low_ns", estimate->low}, {"high_ns", estimate->high}};
    };
    add("harness", split.harness);
    add("wire", split.wire);
    add("library", split.library);
    array.push_back(std::move(object));
  }
  return array;
}

json clock_json(const clock_info& clock) {
  return {{"source", clean_text(clock.source)},
          {"ticks_per_second", clock.ticks_per_second},
          {"read_ns", clock.read_ns},
          {"record_ns", clock.record_ns}};
}

json google_benchmark_json(const run_file& file) {
  json object;
  object["context"] = file.imported ? known_context_json(file.context, file.machine)
                                    : context_json(file.context, file.machine);
  object["benchmarks"] = rows_json(file.rows);
  return object;
}

}  // namespace

std::string to_google_benchmark_json(const run_file& file) {
  json object = google_benchmark_json(file);
  // Bencher's reader takes no file without them.
  object["context"].emplace("caches", json::array());
  return object.dump(2) + "\n";
}

std::string to_json(const run_file& file) {
  json own;
  own["schema"] = schema_version;
  if (file.imported) {
    own["import"] = {{"format", clean_text(file.imported->format)},
                     {"remarks", strings(file.imported->remarks)}};
  }
  own["partial"] = file.partial;
  if (!file.imported) own["machine"] = machine_json(file.machine, file.context.dbdyno_build_type);
  own["targets"] = targets_json(file.targets);
  if (!file.imported) own["plan"] = plan_json(file.plan);
  own["cells"] = cells_json(file.cells);
  if (!file.searches.empty()) own["searches"] = searches_json(file.searches);
  if (!file.layer_splits.empty()) own["layers"] = layers_json(file.layer_splits);
  if (file.clock) own["clock"] = clock_json(*file.clock);

  json object = google_benchmark_json(file);
  object["dbdyno"] = std::move(own);
  return object.dump(2) + "\n";
}

void save(const std::string& path, const run_file& file) {
  replace_file(path, to_json(file));
}

}  // namespace dbdyno::results
