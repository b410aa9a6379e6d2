#include "results/aggregates.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>

#include "results/latency_record.hpp"
#include "results/statistics/moments.hpp"

namespace dbdyno::results {
namespace {

constexpr statistic all_statistics[] = {statistic::mean, statistic::median, statistic::stddev, statistic::cv};

std::optional<double> compute(statistic kind, std::span<const double> values) {
  switch (kind) {
    case statistic::mean:
      return mean(values);
    case statistic::median:
      return median(values);
    case statistic::stddev:
      return standard_deviation(values);
    case statistic::cv:
      return coefficient_of_variation(values);
  }
  return std::nullopt;
}

/// One figure of every row; empty unless all have it.
template <class Get>
std::vector<double> column(const std::vector<row>& rows, Get get) {
  std::vector<double> values;
  for (const auto& each : rows) {
    const std::optional<double> value = get(each);
    if (!value || !std::isfinite(*value)) return {};
    values.push_back(*value);
  }
  return values;
}

row aggregate(const std::vector<row>& good, statistic kind) {
  row result;
  result.name = good.front().name;
  result.kind = kind;
  result.repetitions = good.front().repetitions;
  result.threads = good.front().threads;
  result.iterations = good.size();
  result.real_time = compute(kind, column(good, [](const row& r) { return r.real_time; }));
  result.cpu_time = compute(kind, column(good, [](const row& r) { return r.cpu_time; }));
  const bool averages = kind == statistic::mean || kind == statistic::median;
  for (const auto& [name, first_value] : good.front().counters) {
    if (averages && is_latency_counter(name)) continue;
    const auto counter = [&wanted = name](const row& r) {
      const auto found = r.counters.find(wanted);
      return found == r.counters.end() ? std::nullopt : std::optional(found->second);
    };
    if (const auto value = compute(kind, column(good, counter))) result.counters[name] = *value;
  }
  return result;
}

}  // namespace

std::vector<row> with_aggregates(std::vector<row> rows) {
  std::erase_if(rows, [](const row& r) { return r.kind.has_value(); });
  std::unordered_map<std::string, std::size_t> group_of_name;
  std::vector<std::vector<row>> groups;
  for (auto& each : rows) {
    const auto [entry, is_new] = group_of_name.try_emplace(each.name, groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].push_back(std::move(each));
  }

  std::vector<row> result;
  for (auto& group : groups) {
    std::stable_sort(group.begin(), group.end(),
                     [](const row& a, const row& b) { return a.repetition < b.repetition; });
    std::vector<row> good;
    std::copy_if(group.begin(), group.end(), std::back_inserter(good),
                 [](const row& r) { return !r.error_message; });
    std::move(group.begin(), group.end(), std::back_inserter(result));
    if (good.size() < 2) continue;
    for (const auto kind : all_statistics) result.push_back(aggregate(good, kind));
  }
  return result;
}

}  // namespace dbdyno::results
