#include "results/report/cell_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "results/cell_name.hpp"
#include "results/histogram.hpp"
#include "results/latency_record.hpp"
#include "results/report/percentile_curve.hpp"
#include "results/statistics/moments.hpp"

namespace dbdyno::results {
namespace {

constexpr std::size_t longest_series = 20;

using repetition = cell_group::repetition;

/// The text with # for every number in it.
std::string without_numbers(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      out += text[i++];
      continue;
    }
    out += '#';
    for (; i < text.size(); ++i) {
      const bool goes_on = text[i] == '.' || text[i] == ',' || text[i] == 'e' ||
                           (i > 0 && text[i - 1] == 'e' && (text[i] == '+' || text[i] == '-'));
      if (!is_digit(text[i]) && !(goes_on && i + 1 < text.size() &&
                                  (is_digit(text[i + 1]) || text[i + 1] == '+' || text[i + 1] == '-')))
        break;
    }
  }
  return out;
}

class text_counter {
 public:
  void add(const std::string& text) {
    const auto [at, is_new] = index_.emplace(without_numbers(text), texts_.size());
    if (is_new) texts_.push_back({text, 0});
    ++texts_[at->second].count;
  }

  std::vector<counted_text> result() && {
    std::stable_sort(texts_.begin(), texts_.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    return std::move(texts_);
  }

 private:
  std::unordered_map<std::string, std::size_t> index_{};
  std::vector<counted_text> texts_{};
};

std::optional<double> operations_per_second(const row& of) {
  const auto found = of.counters.find("items_per_second");
  if (found != of.counters.end()) return found->second;
  if (of.real_time && *of.real_time > 0) return 1e9 / *of.real_time;
  return std::nullopt;
}

std::optional<double> counter(const row& of, const std::string& name) {
  if (name == "ops") return operations_per_second(of);
  if (name == "real_time") return of.real_time;
  if (name == "cpu_time") return of.cpu_time;
  const auto found = of.counters.find(name);
  return found == of.counters.end() ? std::nullopt : std::optional(found->second);
}

std::map<std::string, figure> figures_of(const std::vector<repetition>& counted) {
  constexpr const char* names[] = {"ops",           "client_cpu_ns_per_op", "server_cpu_ns_per_op",
                                   "allocs_per_op", "bytes_sent_per_op",    "bytes_received_per_op",
                                   "target_rate",   "client_core_busy",     "server_cores_busy"};
  std::map<std::string, figure> figures;
  const auto add = [&](const char* name) {
    std::vector<double> values;
    for (const repetition& each : counted) {
      if (const auto value = counter(*each.figures, name)) values.push_back(*value);
    }
    if (!values.empty() && values.size() == counted.size())
      figures[name] = {*mean(values), mean_interval(values)};
  };
  for (const char* name : names) add(name);
  // Of ours these say nothing that the rate and the CPU time an operation do not.
  if (!figures.contains("client_cpu_ns_per_op")) {
    add("real_time");
    add("cpu_time");
  }
  return figures;
}

struct named_percentile {
  const char* name;
  const char* counter;
  double percent;
};
constexpr named_percentile percentiles[] = {{"p50", "p50_ns", 50},        {"p90", "p90_ns", 90},
                                            {"p99", "p99_ns", 99},        {"p999", "p999_ns", 99.9},
                                            {"p9999", "p9999_ns", 99.99}, {"p99999", "p99999_ns", 99.999}};

void widen(latency_summary& summary, const std::vector<std::uint64_t>& curve, bool is_first) {
  if (is_first) {
    summary.lowest = summary.highest = curve;
    return;
  }
  const std::size_t size = std::min(summary.lowest.size(), curve.size());
  summary.lowest.resize(size);
  summary.highest.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    summary.lowest[i] = std::min(summary.lowest[i], curve[i]);
    summary.highest[i] = std::max(summary.highest[i], curve[i]);
  }
}

std::optional<latency_summary> from_histograms(const std::vector<repetition>& counted, const char* kind) {
  latency_summary summary{.merged = true};
  histogram all;
  unsigned merged = 0;
  std::vector<double> p99;
  for (const repetition& each : counted) {
    if (each.details == nullptr) continue;
    const auto found = each.details->histograms.find(kind);
    if (found == each.details->histograms.end()) continue;
    histogram one;
    try {
      one = to_histogram(found->second);
    } catch (const std::exception& error) {
      throw std::runtime_error(fmt::format("{}, repetition {}: its histogram \"{}\": {}", each.details->name,
                                           each.details->repetition, kind, error.what()));
    }
    widen(summary, percentile_curve(one), merged == 0);
    if (const auto value = one.supported_percentile(99)) p99.push_back(static_cast<double>(*value));
    all.merge(one);
    ++merged;
  }
  summary.count = all.count();
  if (summary.count == 0) return std::nullopt;
  for (const named_percentile& each : percentiles) {
    if (const auto value = all.supported_percentile(each.percent))
      summary.figures[each.name] = static_cast<double>(*value);
  }
  summary.figures["max"] = static_cast<double>(all.max());
  summary.figures["mean"] = *all.mean();
  if (p99.size() > 1) summary.p99_range = {*minimum(p99), *maximum(p99)};
  summary.curve = percentile_curve(all);
  if (merged < 2) summary.lowest.clear(), summary.highest.clear();
  return summary;
}

std::optional<latency_summary> from_counters(const std::vector<repetition>& counted,
                                             const std::string& prefix) {
  latency_summary summary;
  const auto values_of = [&](const std::string& name) {
    std::vector<double> values;
    for (const repetition& each : counted) {
      if (const auto value = counter(*each.figures, prefix + name)) values.push_back(*value);
    }
    if (values.size() != counted.size()) values.clear();
    return values;
  };
  for (const named_percentile& each : percentiles) {
    if (const auto value = median(values_of(each.counter))) summary.figures[each.name] = *value;
  }
  const auto p99 = values_of("p99_ns");
  if (p99.size() > 1) summary.p99_range = {*minimum(p99), *maximum(p99)};
  if (const auto value = maximum(values_of("max_ns"))) summary.figures["max"] = *value;
  if (const auto value = mean(values_of("mean_ns"))) summary.figures["mean"] = *value;
  for (const repetition& each : counted) summary.count += each.figures->iterations;
  if (summary.figures.empty()) return std::nullopt;
  return summary;
}

standing standing_of(const cell_summary& cell) {
  const auto count = [&](standing level) {
    const auto found = cell.repetitions.find(level);
    return found == cell.repetitions.end() ? 0U : found->second;
  };
  if (count(standing::failed) == cell.measured) return standing::failed;
  if (count(standing::suspect) != 0) return standing::suspect;
  if (count(standing::unjudged) != 0) return standing::unjudged;
  return count(standing::valid) != 0 ? standing::valid : standing::invalid;
}

bool counts(const repetition& of) {
  const standing level = standing_of(of);
  return level != standing::failed && level != standing::invalid;
}

/// A figure by repetition, of those that count.
std::map<unsigned, double> by_repetition(const cell_group& group, const std::string& metric) {
  std::map<unsigned, double> values;
  for (const repetition& each : group.repetitions) {
    if (!counts(each)) continue;
    const auto value = metric == "time" ? operations_per_second(*each.figures)
                                        : counter(*each.figures, "client_cpu_ns_per_op");
    if (value && *value > 0) values[each.figures->repetition] = metric == "time" ? 1e9 / *value : *value;
  }
  return values;
}

std::optional<interval_estimate> difference(const std::map<unsigned, double>& of,
                                            const std::map<unsigned, double>& less) {
  std::vector<double> differences;
  for (const auto& [index, value] : of) {
    const auto other = less.find(index);
    if (other != less.end()) differences.push_back(value - other->second);
  }
  return mean_interval(differences);
}

std::optional<interval_estimate> estimate(const std::map<unsigned, double>& of) {
  std::vector<double> values;
  values.reserve(of.size());
  for (const auto& [index, value] : of) values.push_back(value);
  return mean_interval(values);
}

std::string shape_of(const cell_name& name, bool with_transport) {
  std::string shape = name.workload + "/" + name.mode;
  for (const auto& [key, value] : name.parameters) {
    if (key != "transport" || with_transport) shape += fmt::format("/{}:{}", key, value);
  }
  return shape;
}

bool crosses_a_wire(const cell_name& name) {
  return std::any_of(name.parameters.begin(), name.parameters.end(),
                     [](const auto& parameter) { return parameter.first == "transport"; });
}

std::vector<layers> told_from_controls(const std::vector<cell_group>& groups) {
  std::map<std::string, const cell_group*> echoes;
  std::map<std::string, const cell_group*> nulls;
  std::vector<cell_name> names;
  for (const cell_group& group : groups) {
    names.push_back(take_apart(group.name));
    if (names.back().storage == "echo") echoes[shape_of(names.back(), true)] = &group;
    if (names.back().storage == "null") nulls[shape_of(names.back(), false)] = &group;
  }
  std::vector<layers> out;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (names[i].storage == "echo" || !crosses_a_wire(names[i])) continue;
    const auto echo = echoes.find(shape_of(names[i], true));
    const auto null = nulls.find(shape_of(names[i], false));
    if (echo == echoes.end() || null == nulls.end()) continue;
    for (const char* metric : {"time", "client_cpu"}) {
      const auto whole = by_repetition(groups[i], metric);
      const auto beside = by_repetition(*echo->second, metric);
      const auto control = by_repetition(*null->second, metric);
      out.push_back({.name = groups[i].name,
                     .metric = metric,
                     .harness = estimate(control),
                     .wire = difference(beside, control),
                     .library = difference(whole, beside)});
    }
  }
  return out;
}

}  // namespace

cell_summary outline(const cell_group& group) {
  cell_summary out{.name = group.name};
  text_counter reasons;
  text_counter messages;
  for (const repetition& each : group.repetitions) {
    out.planned = std::max(out.planned, each.figures->repetitions);
    ++out.measured;
    ++out.repetitions[standing_of(each)];
    if (each.figures->error_message) messages.add(*each.figures->error_message);
    if (each.details == nullptr) continue;
    if (each.details->judged) {
      for (const std::string& reason : each.details->judged->reasons) reasons.add(reason);
    }
    for (const auto& [name, count] : each.details->errors) out.errors[name] += count;
    for (const auto& [name, count] : each.details->refusals) out.refusals[name] += count;
    if (each.details->requests) out.issued += each.details->requests->issued;
    out.reconnects += each.details->reconnects.value_or(0);
    out.downtime_s += each.details->downtime_s.value_or(0);
  }
  out.reasons = std::move(reasons).result();
  out.messages = std::move(messages).result();
  out.level = standing_of(out);
  return out;
}

cell_summary summarise(const cell_group& group) {
  cell_summary out = outline(group);
  std::vector<repetition> counted;
  for (const repetition& each : group.repetitions) {
    if (counts(each) || (out.level == standing::invalid && standing_of(each) == standing::invalid))
      counted.push_back(each);
  }
  out.counted = static_cast<unsigned>(counted.size());
  if (counted.empty()) return out;
  out.figures = figures_of(counted);
  out.latency = from_histograms(counted, "ok");
  if (!out.latency) out.latency = from_counters(counted, "");
  out.service = from_histograms(counted, "service");
  if (!out.service) out.service = from_counters(counted, "service_");
  for (const repetition& each : counted) {
    if (out.series.size() == longest_series) break;
    if (each.details == nullptr || each.details->slices.empty()) continue;
    out.series.push_back({each.figures->repetition, each.details->window_s, each.details->slices});
  }
  return out;
}

std::vector<layers> layers_of(const run_file& run) {
  return run.layer_splits.empty() ? told_from_controls(groups_of(run)) : run.layer_splits;
}

}  // namespace dbdyno::results
