#include "results/run_file_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "results/clean_text.hpp"
#include "results/json_document.hpp"
#include "results/json_node.hpp"
#include "results/schema.hpp"

namespace dbdyno::results {
namespace {

std::optional<std::string> optional_text(const node& object, const char* key) {
  const auto value = object.find(key);
  return value ? std::optional(value->text()) : std::nullopt;
}

template <class Unsigned>
std::optional<Unsigned> optional_count(const node& object, const char* key) {
  const auto value = object.find(key);
  return value ? std::optional(value->count<Unsigned>()) : std::nullopt;
}

std::optional<double> optional_number(const node& object, const char* key) {
  const auto value = object.find(key);
  return value ? std::optional(value->number()) : std::nullopt;
}

std::vector<std::string> texts(const node& array) {
  std::vector<std::string> values;
  array.for_each_element([&](const node& value) { values.push_back(value.text()); });
  return values;
}

std::map<std::string, std::string> named_texts(const node& object) {
  std::map<std::string, std::string> values;
  object.for_each_member([&](const std::string& key, const node& value) { values[key] = value.text(); });
  return values;
}

std::vector<double> numbers(const node& array) {
  std::vector<double> values;
  array.for_each_element([&](const node& value) { values.push_back(value.number()); });
  return values;
}

std::vector<cpu_cache> read_caches(const node& array) {
  std::vector<cpu_cache> caches;
  array.for_each_element([&](const node& value) {
    caches.push_back({value.at("type").text(), value.at("level").count<unsigned>(),
                      value.at("size").count<std::uint64_t>(), value.at("num_sharing").count<unsigned>()});
  });
  return caches;
}

run_context read_context(const node& object) {
  run_context context;
  context.date = object.at("date").text();
  context.executable = object.at("executable").text();
  context.load_avg = numbers(object.at("load_avg"));
  context.library_build_type = object.at("library_build_type").text();
  context.library_version = object.at("library_version").text();
  context.dbdyno_version = object.at("dbdyno_version").text();
  context.dbdyno_build_type = object.at("dbdyno_build_type").text();
  return context;
}

machine_info read_machine_info(const node& context, const node& object) {
  machine_info machine;
  machine.host_name = context.at("host_name").text();
  machine.cpu_mhz = optional_count<unsigned>(context, "mhz_per_cpu");
  machine.caches = read_caches(context.at("caches"));
  machine.cpu_model = optional_text(object, "cpu_model");
  machine.cpu_count = object.at("cpu_count").count<unsigned>();
  if (const auto value = object.find("virtualised")) machine.virtualised = value->truth();
  machine.governor = optional_text(object, "governor");
  machine.kernel = optional_text(object, "kernel");
  machine.memory_bytes = optional_count<std::uint64_t>(object, "memory_bytes");
  machine.pinning = optional_text(object, "pinning");
  machine.compiler = object.at("compiler").text();
  machine.libraries = named_texts(object.at("libraries"));
  return machine;
}

/// The same of an imported run, where what its program did not tell is absent.
void read_known_context(const node& object, run_file& file) {
  const auto text = [&](const char* key) { return optional_text(object, key).value_or(""); };
  file.context.date = text("date");
  file.context.executable = text("executable");
  if (const auto averages = object.find("load_avg")) file.context.load_avg = numbers(*averages);
  file.context.library_build_type = text("library_build_type");
  file.context.library_version = text("library_version");
  file.machine.host_name = text("host_name");
  file.machine.cpu_count = optional_count<unsigned>(object, "num_cpus").value_or(0);
  file.machine.cpu_mhz = optional_count<unsigned>(object, "mhz_per_cpu");
  if (const auto caches = object.find("caches")) file.machine.caches = read_caches(*caches);
}

import_info read_import(const node& object) {
  return {.format = object.at("format").text(), .remarks = texts(object.at("remarks"))};
}

enum class known_unit : std::uint8_t { ns };

row read_row(const node& object) {
  row r;
  // Another one would be from hands that did not convert the counters with it.
  if (const auto unit = object.find("time_unit")) unit->one_of<known_unit>({"ns"});
  r.name = object.at("run_name").text();
  r.repetitions = object.at("repetitions").count<unsigned>();
  r.threads = object.at("threads").count<unsigned>();
  r.iterations = object.at("iterations").count<std::uint64_t>();
  r.real_time = object.at("real_time").number();
  r.cpu_time = object.at("cpu_time").number();
  if (const auto kind = object.find("aggregate_name")) {
    r.kind = kind->one_of<statistic>(statistic_names);
  } else {
    r.repetition = object.at("repetition_index").count<unsigned>();
    if (r.real_time == 0) r.real_time.reset();
    if (r.cpu_time == 0) r.cpu_time.reset();
  }
  if (const auto failed = object.find("error_occurred"); failed && failed->truth()) {
    r.error_message = object.at("error_message").text();
  }
  object.for_each_member([&](std::string&& key, const node& value) {
    // What others make of NaN: a figure of ours is a number or absent.
    if (value.is_null()) throw value_error{value.pointer(), "expected a number, found null"};
    // Our writer sorts them.
    if (value.is_number() && !is_reserved_row_key(key))
      r.counters.insert_or_assign(r.counters.end(), std::move(key), value.number());
  });
  return r;
}

target_info read_target(const node& object) {
  target_info target;
  target.storage = object.at("storage").text();
  target.url = object.at("url").text();
  target.throwaway = object.at("throwaway").truth();
  target.server_version = optional_text(object, "server_version");
  target.transports = texts(object.at("transports"));
  target.settings = named_texts(object.at("settings"));
  return target;
}

plan_info read_plan(const node& object) {
  plan_info plan;
  plan.name = object.at("name").text();
  plan.hash = object.at("hash").text();
  plan.seed = object.at("seed").count<std::uint64_t>();
  plan.options = named_texts(object.at("options"));
  object.at("order").for_each_element([&](const node& step) {
    plan.order.push_back({step.at("name").text(), step.at("repetition").count<unsigned>()});
  });
  return plan;
}

enum class known_encoding : std::uint8_t { hdr_v2 };

latency_record read_latency_record(const node& object) {
  object.at("encoding").one_of<known_encoding>({histogram_encoding});
  return {.data = object.at("data").text(),
          .count = object.at("count").count<std::uint64_t>(),
          .max_ns = object.at("max_ns").count<std::uint64_t>(),
          .sum_ns = object.at("sum_ns").count<std::uint64_t>(),
          .clamped = object.at("clamped").count<std::uint64_t>()};
}

cell read_cell(const node& object) {
  cell c;
  c.name = object.at("name").text();
  c.repetition = object.at("repetition").count<unsigned>();
  if (const auto judged = object.find("verdict")) {
    c.judged =
        verdict{judged->at("level").one_of<verdict_level>(verdict_level_names), texts(judged->at("reasons"))};
  }
  object.at("errors").for_each_member([&](const std::string& error_class, const node& count) {
    c.errors[error_class] = count.count<std::uint64_t>();
  });
  if (const auto refusals = object.find("refusals")) {
    refusals->for_each_member(
        [&](const std::string& code, const node& count) { c.refusals[code] = count.count<std::uint64_t>(); });
  }
  if (const auto requests = object.find("requests")) {
    c.requests = accounting{.issued = requests->at("issued").count<std::uint64_t>(),
                            .ok = requests->at("ok").count<std::uint64_t>(),
                            .missed = requests->at("missed").count<std::uint64_t>(),
                            .unknown = requests->at("unknown").count<std::uint64_t>(),
                            .unsent = requests->at("unsent").count<std::uint64_t>()};
  }
  if (const auto reconnects = object.find("reconnects")) c.reconnects = reconnects->count<std::uint64_t>();
  c.downtime_s = optional_number(object, "downtime_s");
  if (const auto slices = object.find("slices"))
    slices->for_each_element([&](const node& rate) { c.slices.push_back(rate.number()); });
  c.start_s = optional_number(object, "start_s");
  c.window_s = optional_number(object, "window_s");
  if (const auto histograms = object.find("histograms")) {
    histograms->for_each_member([&](const std::string& kind, const node& record) {
      c.histograms[kind] = read_latency_record(record);
    });
  }
  return c;
}

rate_search read_search(const node& object) {
  rate_search out;
  out.name = object.at("name").text();
  out.limit = object.at("limit").text();
  object.at("steps").for_each_element([&](const node& step) {
    out.steps.push_back(
        {step.at("rate").number(), optional_number(step, "figure_ns"), step.at("kept").truth()});
  });
  out.knee = optional_number(object, "knee");
  if (const auto stopped = object.find("stopped")) out.stopped = stopped->text();
  return out;
}

std::optional<interval_estimate> read_interval(const node& object, const char* key) {
  const auto found = object.find(key);
  if (!found) return std::nullopt;
  return interval_estimate{found->at("mean_ns").number(), found->at("low_ns").number(),
                           found->at("high_ns").number()};
}

layers read_layers(const node& object) {
  return {.name = object.at("name").text(),
          .metric = object.at("metric").text(),
          .harness = read_interval(object, "harness"),
          .wire = read_interval(object, "wire"),
          .library = read_interval(object, "library")};
}

clock_info read_clock(const node& object) {
  return {.source = object.at("source").text(),
          .ticks_per_second = object.at("ticks_per_second").number(),
          .read_ns = object.at("read_ns").number(),
          .record_ns = object.at("record_ns").number()};
}

run_file read_run_file(const node& root) {
  const auto context = root.at("context");
  const auto benchmarks = root.at("benchmarks");
  const auto own = root.at("dbdyno");
  const auto schema = own.at("schema").count<unsigned>();
  if (schema != schema_version) {
    throw value_error{"/dbdyno/schema",
                      fmt::format("schema {} where this program reads {}", schema, schema_version)};
  }

  run_file file;
  if (const auto imported = own.find("import")) {
    file.imported = read_import(*imported);
    read_known_context(context, file);
  } else {
    file.context = read_context(context);
    file.machine = read_machine_info(context, own.at("machine"));
    file.plan = read_plan(own.at("plan"));
  }
  benchmarks.for_each_element([&](const node& value) { file.rows.push_back(read_row(value)); });
  file.partial = own.at("partial").truth();
  own.at("targets").for_each_element([&](const node& value) { file.targets.push_back(read_target(value)); });
  own.at("cells").for_each_element([&](const node& value) { file.cells.push_back(read_cell(value)); });
  if (const auto searches = own.find("searches"))
    searches->for_each_element([&](const node& value) { file.searches.push_back(read_search(value)); });
  if (const auto splits = own.find("layers"))
    splits->for_each_element([&](const node& value) { file.layer_splits.push_back(read_layers(value)); });
  if (const auto clock = own.find("clock")) file.clock = read_clock(*clock);
  return file;
}

}  // namespace

result_file_error::result_file_error(std::string_view file, std::string_view reason)
    : std::runtime_error(clean_text(fmt::format("{}: {}", file, reason))) {
}

run_file parse(std::string_view text, std::string_view name) {
  run_file file;
  read_document(text, name, [&](const node& root) { file = read_run_file(root); });
  return file;
}

std::string read_file(const std::string& path) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  // Once, where it has a size; what has none, as a pipe, in ever larger pieces.
  std::size_t piece = unknown ? std::size_t{1} << 16 : static_cast<std::size_t>(size) + 1;
  while (file) {
    const std::size_t before = text.size();
    text.resize(before + piece);
    file.read(text.data() + before, static_cast<std::streamsize>(piece));
    text.resize(before + static_cast<std::size_t>(file.gcount()));
    piece = std::max(text.size(), std::size_t{1} << 16);
  }
  if (text.empty() && errno != 0) throw result_file_error(path, std::generic_category().message(errno));
  return text;
}

run_file load(const std::string& path) {
  return parse(read_file(path), path);
}

}  // namespace dbdyno::results
