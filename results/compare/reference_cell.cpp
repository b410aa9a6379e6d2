#include "results/compare/reference_cell.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "results/cell_name.hpp"
#include "results/statistics/moments.hpp"

namespace dbdyno::results {
namespace {

/// In the order in which they are preferred.
std::vector<std::string> candidates(const cell_name& name) {
  std::string all;
  std::string shape;
  for (const auto& [parameter, value] : name.parameters) {
    all += "/" + parameter + ":" + value;
    if (parameter != "transport") shape += "/" + parameter + ":" + value;
  }
  const std::string null = name.workload + "/null/null/" + name.mode;
  if (part_of(name, "transport"))
    return {name.workload + "/echo/socket/" + name.mode + all, null + shape, null};
  return {name.workload + "/memory/map/" + name.mode + shape, null + shape, null};
}

bool has_figure(const contender& side, const std::string& name, const metric& what) {
  const auto found = side.cells.find(name);
  return found != side.cells.end() &&
         std::any_of(found->second.rows.begin(), found->second.rows.end(), [&](const row* each) {
           const auto figure = figure_of(*each, what);
           return figure && *figure > 0;
         });
}

}  // namespace

std::string common_reference(const std::vector<contender>& sides, const std::string& name,
                             const metric& what) {
  const cell_name parsed = take_apart(name);
  if (parsed.mode.empty() || parsed.storage == "null" || parsed.storage == "echo") return "";
  for (const std::string& candidate : candidates(parsed)) {
    if (candidate == name) continue;
    const auto serves = [&](const contender& side) {
      return !side.cells.contains(name) || has_figure(side, candidate, what);
    };
    if (std::all_of(sides.begin(), sides.end(), serves)) return candidate;
  }
  return "";
}

std::vector<double> normalised_figures(const cell_sample& sample, const cell_sample& reference,
                                       const metric& what) {
  std::map<unsigned, double> by_repetition;
  std::vector<double> all;
  for (const row* each : reference.rows) {
    if (const auto figure = figure_of(*each, what); figure && *figure > 0) {
      by_repetition.emplace(each->repetition, *figure);
      all.push_back(*figure);
    }
  }
  std::vector<double> out;
  if (all.empty()) return out;
  const double usual = *median(all);
  for (const row* each : sample.rows) {
    const auto figure = figure_of(*each, what);
    if (!figure) continue;
    const auto found = by_repetition.find(each->repetition);
    out.push_back(*figure / (found == by_repetition.end() ? usual : found->second));
  }
  return out;
}

}  // namespace dbdyno::results
