#include "results/exports/benchmark_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include "results/cell_name.hpp"
#include "results/clean_text.hpp"
#include "results/exports/cell_histogram.hpp"
#include "results/histogram.hpp"
#include "results/latency_record.hpp"
#include "results/statistics/moments.hpp"

namespace dbdyno::results {
namespace {

using repetition = cell_group::repetition;

struct latency_kind {
  const char* histogram;
  std::string_view prefix;  ///< of its counters
};
constexpr latency_kind response{"ok", ""};
constexpr latency_kind service{"service", "service_"};

bool is_of(const latency_kind& kind, std::string_view counter) {
  return is_latency_counter(counter) && counter.starts_with(service.prefix) == !kind.prefix.empty();
}

std::map<std::string, double> figures_of(const row& from) {
  auto figures = from.counters;
  if (from.real_time) figures["real_time"] = *from.real_time;
  if (from.cpu_time) figures["cpu_time"] = *from.cpu_time;
  figures["iterations"] = static_cast<double>(from.iterations);
  std::erase_if(figures, [](const auto& each) { return !std::isfinite(each.second); });
  return figures;
}

/// What every one of `parts` has under a name, by that name.
std::map<std::string, std::vector<double>> columns_of(
    const std::vector<std::map<std::string, double>>& parts) {
  std::map<std::string, std::vector<double>> columns;
  for (const auto& part : parts) {
    for (const auto& [name, value] : part) columns[name].push_back(value);
  }
  std::erase_if(columns, [&](const auto& each) { return each.second.size() != parts.size(); });
  return columns;
}

std::optional<std::pair<double, double>> range_of(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  return std::pair(*minimum(values), *maximum(values));
}

bool has_histogram(const repetition& of, const latency_kind& kind) {
  return of.details != nullptr && of.details->histograms.contains(kind.histogram);
}

/// Puts the latencies of one kind in. Returns the totals, if there are histograms.
std::optional<latency_totals> add_latencies(benchmark_figures& to, const std::vector<repetition>& counted,
                                            const latency_kind& kind) {
  if (!std::all_of(counted.begin(), counted.end(),
                   [&](const repetition& each) { return has_histogram(each, kind); })) {
    for (const repetition& each : counted) {
      for (const auto& [name, value] : each.figures->counters) {
        if (!is_of(kind, name) || !std::isfinite(value)) continue;
        if (counted.size() == 1) {
          to.figures[name] = {.value = value};
        } else {
          to.unmerged = true;
        }
      }
    }
    return std::nullopt;
  }
  histogram all;
  std::vector<std::map<std::string, double>> own;
  for (const repetition& each : counted) {
    const histogram one = histogram_of(*each.details, kind.histogram);
    own.push_back(latency_counters(one));
    all.merge(one);
  }
  const auto columns = columns_of(own);
  for (const auto& [name, value] : latency_counters(all)) {
    const auto column = columns.find(name);
    to.figures[std::string(kind.prefix) + name] = {
        .value = value, .range = column == columns.end() ? std::nullopt : range_of(column->second)};
  }
  return latency_totals{.count = all.count(), .sum_ns = all.sum()};
}

void add_counted(benchmark_figures& to, const std::vector<repetition>& counted) {
  if (counted.empty()) return;
  to.threads = counted.front().figures->threads;
  std::vector<std::map<std::string, double>> parts;
  parts.reserve(counted.size());
  for (const repetition& each : counted) parts.push_back(figures_of(*each.figures));
  for (const auto& [name, values] : columns_of(parts)) {
    if (!is_latency_counter(name)) to.figures[name] = {.value = *median(values), .range = range_of(values)};
  }
  to.latency = add_latencies(to, counted, response);
  to.service = add_latencies(to, counted, service);
}

/// Those of names without a repetition.
std::vector<benchmark_figures> from_statistics(const run_file& run, std::set<std::string_view> known) {
  std::vector<benchmark_figures> out;
  for (const statistic kind : {statistic::median, statistic::mean}) {
    for (const row& each : run.rows) {
      if (each.kind != kind || !known.insert(each.name).second) continue;
      benchmark_figures one{.name = each.name, .label = {}, .threads = each.threads};
      for (const auto& [name, value] : figures_of(each)) {
        if (!is_latency_counter(name)) one.figures[name] = {.value = value};
      }
      out.push_back(std::move(one));
    }
  }
  return out;
}

void label(std::vector<benchmark_figures>& all) {
  std::set<std::string> used;
  for (benchmark_figures& each : all) {
    auto text = clean_text(take_apart(each.name).text);
    // Readers refuse names that are empty or have spaces around.
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    text.erase(text.find_last_not_of(' ') + 1);
    if (text.empty()) text = "unnamed";
    each.label = text;
    for (unsigned number = 2; !used.insert(each.label).second; ++number)
      each.label = fmt::format("{}#{}", text, number);
  }
}

std::string reason_of(const repetition& from) {
  if (from.figures->error_message) return *from.figures->error_message;
  const auto& reasons = from.details->judged->reasons;
  return reasons.empty() ? "judged invalid" : "invalid: " + reasons.front();
}

}  // namespace

bool counts(const cell_group::repetition& of) noexcept {
  const standing level = standing_of(of);
  return level != standing::failed && level != standing::invalid;
}

std::vector<benchmark_figures> figures_of(const run_file& run) {
  std::vector<benchmark_figures> out;
  std::set<std::string_view> known;
  for (const cell_group& group : groups_of(run)) {
    benchmark_figures one{.name = group.name};
    known.insert(group.repetitions.front().figures->name);
    std::vector<repetition> counted;
    for (const repetition& each : group.repetitions) {
      ++one.repetitions[standing_of(each)];
      if (counts(each)) counted.push_back(each);
      if (each.details == nullptr) continue;
      for (const auto& [name, count] : each.details->errors) one.errors[name] += count;
    }
    add_counted(one, counted);
    out.push_back(std::move(one));
  }
  for (benchmark_figures& each : from_statistics(run, std::move(known))) out.push_back(std::move(each));
  label(out);
  return out;
}

std::vector<std::string> left_out(const run_file& run) {
  std::vector<std::string> out;
  for (const cell_group& group : groups_of(run)) {
    std::vector<repetition> without;
    std::copy_if(group.repetitions.begin(), group.repetitions.end(), std::back_inserter(without),
                 [](const repetition& each) { return !counts(each); });
    if (without.empty()) continue;
    out.push_back(clean_text(fmt::format("{}: {} of {} repetitions left out: {}", group.name, without.size(),
                                         group.repetitions.size(), reason_of(without.front()))));
  }
  return out;
}

}  // namespace dbdyno::results
