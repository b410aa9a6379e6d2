#include "results/report/report_data.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "results/cell_name.hpp"
#include "results/clean_text.hpp"
#include "results/report/cell_summary.hpp"
#include "results/report/percentile_curve.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

using nlohmann::json;

/// More remarks on a file than these are only counted.
constexpr std::size_t most_remarks = 20;

struct summarised_file {
  const report_input* input = nullptr;
  std::string label;
  std::vector<cell_summary> cells{};
  std::vector<layers> splits{};
};

/// 5 significant digits; whole numbers without a point.
json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 4);
  // Dividing by a power of ten is exact where multiplying by its inverse is not.
  const double rounded =
      unit >= 1 ? std::round(value / unit) * unit : std::round(value / unit) / std::round(1 / unit);
  if (std::abs(rounded) < 1e15 && rounded == std::floor(rounded)) return static_cast<std::int64_t>(rounded);
  return rounded;
}

json numbers(const std::vector<std::uint64_t>& values) {
  json out = json::array();
  for (const std::uint64_t value : values) out.push_back(number(static_cast<double>(value)));
  return out;
}

json numbers(const std::vector<double>& values) {
  json out = json::array();
  for (const double value : values) out.push_back(number(value));
  return out;
}

/// [mean, low, high], or [mean] where there is no interval.
json interval(double mean, const std::optional<interval_estimate>& range) {
  json out = json::array({number(mean)});
  if (range) {
    out.push_back(number(range->low));
    out.push_back(number(range->high));
  }
  return out;
}

json layer(const std::optional<interval_estimate>& of) {
  return of ? interval(of->mean, of) : json();
}

json counted(const std::vector<counted_text>& texts, std::size_t most) {
  json out = json::array();
  for (const counted_text& each : texts) {
    if (out.size() == most) break;
    out.push_back({clean_text(each.text), each.count});
  }
  return out;
}

json latency(const std::optional<latency_summary>& of, const report_detail& detail) {
  if (!of) return nullptr;
  json out = {{"n", of->count}, {"merged", of->merged}};
  for (const auto& [name, value] : of->figures) out[name] = number(value);
  if (of->p99_range) out["p99_range"] = {number(of->p99_range->first), number(of->p99_range->second)};
  if (detail.curves && !of->curve.empty()) {
    out["curve"] = numbers(of->curve);
    if (detail.spread && !of->lowest.empty()) {
      out["low"] = numbers(of->lowest);
      out["high"] = numbers(of->highest);
    }
  }
  return out;
}

json describe(const cell_summary& cell, std::size_t file, const report_detail& detail) {
  const auto name = take_apart(cell.name);
  json out = {{"file", file},
              {"name", clean_text(name.text)},
              {"workload", clean_text(name.workload)},
              {"storage", clean_text(name.storage)},
              {"driver", clean_text(name.driver)},
              {"mode", clean_text(name.mode)},
              {"level", to_string(cell.level)},
              {"planned", cell.planned},
              {"measured", cell.measured},
              {"counted", cell.counted}};
  json& parameters = out["params"] = json::array();
  for (const auto& [key, value] : name.parameters) parameters.push_back({clean_text(key), clean_text(value)});
  for (const auto& [level, count] : cell.repetitions) out["reps"][std::string(to_string(level))] = count;
  for (const auto& [key, each] : cell.figures) out["figures"][key] = interval(each.mean, each.interval);
  if (cell.latency) out["latency"] = latency(cell.latency, detail);
  if (cell.service) out["service"] = latency(cell.service, detail);
  if (detail.series && !cell.series.empty()) {
    json& series = out["series"] = json::array();
    for (const time_series& each : cell.series) {
      json one = {{"rep", each.repetition}, {"slices", numbers(each.slices)}};
      if (each.window_s) one["window_s"] = number(*each.window_s);
      series.push_back(std::move(one));
    }
  }
  if (!cell.reasons.empty()) out["reasons"] = counted(cell.reasons, detail.texts);
  if (!cell.messages.empty()) out["messages"] = counted(cell.messages, detail.texts);
  for (const auto& [key, count] : cell.errors) out["errors"][clean_text(key)] = count;
  for (const auto& [key, count] : cell.refusals) out["refusals"][clean_text(key)] = count;
  if (cell.issued != 0) out["issued"] = cell.issued;
  if (cell.reconnects != 0) out["reconnects"] = cell.reconnects;
  if (cell.downtime_s > 0) out["downtime_s"] = number(cell.downtime_s);
  return out;
}

/// [what, value] in the order of reading, what is not known left out.
class facts {
 public:
  void add(const char* what, const std::string& value) {
    if (!value.empty()) list_.push_back({what, clean_text(value)});
  }
  void add(const char* what, const std::optional<std::string>& value) {
    if (value) add(what, *value);
  }
  json take() { return std::move(list_); }

 private:
  json list_ = json::array();
};

json named_texts(const std::map<std::string, std::string>& texts) {
  json out = json::array();
  for (const auto& [key, value] : texts) out.push_back({clean_text(key), clean_text(value)});
  return out;
}

json machine_of(const run_file& run) {
  const machine_info& machine = run.machine;
  facts list;
  list.add("Host", machine.host_name);
  list.add("CPU", machine.cpu_model);
  if (machine.cpu_count != 0) list.add("CPUs on line", fmt::format("{}", machine.cpu_count));
  if (machine.cpu_mhz) list.add("Highest frequency", fmt::format("{} MHz", *machine.cpu_mhz));
  if (machine.memory_bytes)
    list.add("Memory", fmt::format("{:.1f} GiB", static_cast<double>(*machine.memory_bytes) / 0x1p30));
  if (machine.virtualised) list.add("Virtual machine", std::string(*machine.virtualised ? "yes" : "no"));
  list.add("Kernel", machine.kernel);
  list.add("Frequency governor", machine.governor);
  list.add("Pinning", machine.pinning);
  if (!run.context.load_avg.empty())
    list.add("Load average at the start", fmt::format("{:.2f}", fmt::join(run.context.load_avg, ", ")));
  list.add("Compiler", machine.compiler);
  std::string version = run.context.dbdyno_version;
  if (!version.empty() && !run.context.dbdyno_build_type.empty())
    version += " (" + run.context.dbdyno_build_type + ")";
  list.add("dbdyno", version);
  list.add("Google Benchmark", run.context.library_version);
  if (run.clock)
    list.add("Clock", fmt::format("{}; a reading costs {:.1f} ns, a recording {:.1f} ns", run.clock->source,
                                  run.clock->read_ns, run.clock->record_ns));
  return list.take();
}

json targets_of(const run_file& run) {
  json out = json::array();
  for (const target_info& each : run.targets) {
    json transports = json::array();
    for (const std::string& transport : each.transports) transports.push_back(clean_text(transport));
    out.push_back({{"storage", clean_text(each.storage)},
                   {"url", clean_text(each.url)},
                   {"throwaway", each.throwaway},
                   {"version", clean_text(each.server_version.value_or(""))},
                   {"transports", std::move(transports)},
                   {"settings", named_texts(each.settings)}});
  }
  return out;
}

json splits_of(const std::vector<layers>& splits, std::size_t file, const std::vector<cell_summary>& shown) {
  std::set<std::string_view> names;
  for (const cell_summary& cell : shown) names.insert(cell.name);
  json out = json::array();
  for (const layers& each : splits) {
    if (!names.contains(each.name)) continue;
    out.push_back({{"file", file},
                   {"name", clean_text(take_apart(each.name).text)},
                   {"metric", clean_text(each.metric)},
                   {"harness", layer(each.harness)},
                   {"wire", layer(each.wire)},
                   {"library", layer(each.library)}});
  }
  return out;
}

json searches_of(const run_file& run, std::size_t file) {
  json out = json::array();
  for (const rate_search& each : run.searches) {
    json one = {{"file", file},
                {"name", clean_text(take_apart(each.name).text)},
                {"limit", clean_text(each.limit)},
                {"stopped", clean_text(each.stopped)},
                {"steps", json::array()}};
    if (each.knee) one["knee"] = number(*each.knee);
    for (const auto& step : each.steps)
      one["steps"].push_back({number(step.rate), step.figure ? number(*step.figure) : json(), step.kept});
    out.push_back(std::move(one));
  }
  return out;
}

/// The files' names without directory and .json, numbered where they are equal.
std::vector<std::string> labels_of(const std::vector<report_input>& inputs) {
  std::vector<std::string> labels;
  std::map<std::string, unsigned> times;
  for (const report_input& each : inputs) {
    const std::filesystem::path path(each.file);
    labels.push_back(clean_text((path.extension() == ".json" ? path.stem() : path.filename()).string()));
    ++times[labels.back()];
  }
  std::map<std::string, unsigned> seen;
  for (std::string& label : labels) {
    if (times[label] > 1) label += fmt::format(" ({})", ++seen[label]);
  }
  return labels;
}

/// Only the first `most` cells of a file are summarised with their figures, since no more will be shown.
std::vector<summarised_file> summarise_all(const std::vector<report_input>& inputs, std::size_t most) {
  const auto labels = labels_of(inputs);
  std::vector<summarised_file> files;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    summarised_file file{.input = &inputs[i], .label = labels[i]};
    try {
      for (const cell_group& group : groups_of(inputs[i].run))
        file.cells.push_back(file.cells.size() < most ? summarise(group) : outline(group));
    } catch (const std::exception& error) {
      throw result_file_error(inputs[i].file, error.what());
    }
    file.splits = layers_of(inputs[i].run);
    files.push_back(std::move(file));
  }
  return files;
}

/// What was said of the file, and where its rates are not what it calls one.
json remarks_on(const report_input& input) {
  json out = json::array();
  for (const std::string& remark : input.remarks) {
    if (out.size() == most_remarks) {
      out.push_back(fmt::format("and {} remarks more", input.remarks.size() - most_remarks));
      break;
    }
    out.push_back(clean_text(remark));
  }
  const auto lacks_rate = [](const row& each) {
    return !each.kind && !each.error_message && each.real_time && !each.counters.contains("items_per_second");
  };
  const auto lacking = std::count_if(input.run.rows.begin(), input.run.rows.end(), lacks_rate);
  if (lacking != 0) {
    out.push_back(
        fmt::format("{} of its rows {} no items_per_second: there an iteration counts as one operation",
                    lacking, lacking == 1 ? "has" : "have"));
  }
  return out;
}

json file_of(const summarised_file& file) {
  const run_file& run = file.input->run;
  std::map<std::string, unsigned> repetitions;
  unsigned rows = 0;
  for (const cell_summary& cell : file.cells) {
    rows += cell.measured;
    for (const auto& [level, count] : cell.repetitions) repetitions[std::string(to_string(level))] += count;
  }
  json out = {{"label", file.label},
              {"date", clean_text(run.context.date)},
              {"partial", run.partial},
              {"rows", rows},
              {"cells", file.cells.size()},
              {"reps", repetitions},
              {"machine", machine_of(run)},
              {"libraries", named_texts(run.machine.libraries)},
              {"targets", targets_of(run)},
              {"plan", clean_text(run.plan.name)},
              {"plan_hash", clean_text(run.plan.hash)},
              {"options", named_texts(run.plan.options)},
              {"splits_measured", !run.layer_splits.empty()},
              {"remarks", remarks_on(*file.input)}};
  if (run.imported) out["format"] = clean_text(run.imported->format);
  if (run.plan.seed != 0) out["seed"] = fmt::format("{}", run.plan.seed);
  return out;
}

/// most_texts: the most reasons, or messages, that a cell shown has.
json words_for(const report_detail& detail, std::size_t most_texts, std::size_t shown, std::size_t all) {
  json left_out = json::array();
  if (!detail.spread) left_out.push_back("the repetitions' range around the percentile curves");
  if (!detail.series) left_out.push_back("the time series");
  if (!detail.curves) left_out.push_back("the percentile curves");
  if (most_texts > detail.texts) {
    left_out.push_back(detail.texts == 0
                           ? "the verdicts' reasons and the error messages"
                           : fmt::format("all but {0} reasons and {0} error messages a cell", detail.texts));
  }
  if (shown < all) left_out.push_back(fmt::format("{} of {} cells", all - shown, all));
  return left_out;
}

std::string written(const std::vector<summarised_file>& files, const report_detail& detail) {
  json out = {{"files", json::array()},
              {"cells", json::array()},
              {"layers", json::array()},
              {"searches", json::array()},
              {"points_per_decade", curve_points_per_decade}};
  std::size_t all = 0;
  for (const summarised_file& file : files) all += file.cells.size();
  std::size_t shown = 0;
  std::size_t most_texts = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    out["files"].push_back(file_of(files[i]));
    // Each file has its share, and what the others do not need.
    const std::size_t share = (detail.most_cells - shown) / (files.size() - i);
    std::vector<cell_summary> some(
        files[i].cells.begin(),
        files[i].cells.begin() + static_cast<std::ptrdiff_t>(std::min(share, files[i].cells.size())));
    for (const cell_summary& cell : some) {
      out["cells"].push_back(describe(cell, i, detail));
      most_texts = std::max({most_texts, cell.reasons.size(), cell.messages.size()});
    }
    for (auto& split : splits_of(files[i].splits, i, some)) out["layers"].push_back(std::move(split));
    for (auto& search : searches_of(files[i].input->run, i)) out["searches"].push_back(std::move(search));
    shown += some.size();
  }
  out["left_out"] = words_for(detail, most_texts, shown, all);
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string report_data(const std::vector<report_input>& inputs, const report_detail& detail) {
  return written(summarise_all(inputs, detail.most_cells), detail);
}

std::string fitted_report_data(const std::vector<report_input>& inputs, std::size_t bytes) {
  report_detail detail;
  const auto files = summarise_all(inputs, detail.most_cells);
  std::string data = written(files, detail);
  const auto try_without = [&](auto&& change) {
    if (data.size() <= bytes) return;
    change();
    data = written(files, detail);
  };
  try_without([&] { detail.spread = false; });
  try_without([&] { detail.texts = 3; });
  try_without([&] { detail.series = false; });
  try_without([&] { detail.curves = false; });
  try_without([&] { detail.texts = 0; });
  while (data.size() > bytes && detail.most_cells > 1) try_without([&] { detail.most_cells /= 2; });
  return data;
}

}  // namespace dbdyno::results
