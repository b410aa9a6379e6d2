#include "results/compare/contender.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "results/cell_name.hpp"
#include "results/in_parallel.hpp"

namespace dbdyno::results {
namespace {

using cells_by_name = std::map<std::string, cell_sample>;
using cell_index = std::map<std::pair<std::string_view, unsigned>, const cell*>;

/// What is known of each repetition beyond its row.
cell_index index_cells(const run_file& run) {
  cell_index out;
  for (const cell& each : run.cells) out.try_emplace({each.name, each.repetition}, &each);
  return out;
}

void add_row(cell_sample& to, const row& each, const cell* known) {
  const auto set_aside = [&](std::size_t& count, const std::string& why) {
    ++count;
    if (to.why_not.empty()) to.why_not = why;
  };
  if (each.error_message) return set_aside(to.errored, *each.error_message);
  if (known != nullptr && known->judged && known->judged->level == verdict_level::invalid) {
    const auto& reasons = known->judged->reasons;
    return set_aside(to.invalid, reasons.empty() ? "judged invalid" : reasons.front());
  }
  if (known != nullptr && known->judged && known->judged->level == verdict_level::suspect) ++to.suspect;
  to.rows.push_back(&each);
  if (known == nullptr) return;
  if (const auto found = known->histograms.find("ok"); found != known->histograms.end())
    to.latencies.push_back(&found->second);
}

/// Every cell under the name that `name_of` gives its rows; those that it gives none are left out.
template <class NameOf>
cells_by_name samples_of(const run_file& run, std::vector<std::string>& order, NameOf name_of) {
  const cell_index known = index_cells(run);
  cells_by_name out;
  for (const row& each : run.rows) {
    const std::optional<std::string> name = name_of(each.name);
    if (!name) continue;
    const auto [place, is_new] = out.try_emplace(*name);
    if (is_new) order.push_back(*name);
    if (each.kind) continue;
    const auto found = known.find({each.name, each.repetition});
    add_row(place->second, each, found == known.end() ? nullptr : found->second);
  }
  for (const row& each : run.rows) {
    const std::optional<std::string> name = name_of(each.name);
    if (!name || each.kind != statistic::mean) continue;
    cell_sample& sample = out.at(*name);
    if (!sample.rows.empty() || sample.errored + sample.invalid != 0) continue;
    sample.rows.push_back(&each);
    sample.only_statistics = true;
  }
  for (auto& [name, sample] : out) {
    if (sample.latencies.size() != sample.rows.size()) sample.latencies.clear();
  }
  return out;
}

void sort_out(line_up& lines, std::vector<std::string> order) {
  // A run's rows are in the order in which they were measured, which is drawn.
  std::sort(order.begin(), order.end(), comes_before);
  std::set<std::string> seen;
  for (const std::string& name : order) {
    if (!seen.insert(name).second) continue;
    std::vector<std::string_view> has;
    for (const contender& side : lines.sides) {
      if (side.cells.contains(name)) has.push_back(side.label);
    }
    if (has.size() > 1) {
      lines.cells.push_back(name);
    } else {
      lines.in_one_only.push_back(fmt::format("{} ({})", name, has.front()));
    }
  }
}

bool is_control(const std::string& side) {
  return side == "null" || side == "echo" || side.starts_with("null/") || side.starts_with("echo/");
}

/// What one part of the names is, in all files.
struct part_values {
  std::vector<std::string> sides{};
  bool left_out = false;  ///< controls, that is
};

part_values values_of(const std::vector<run_file>& runs, std::string_view part, bool leaves_controls_out) {
  part_values out;
  std::set<std::string> parameters;
  for (const run_file& run : runs) {
    for (const row& each : run.rows) {
      const cell_name name = take_apart(each.name);
      for (const auto& [parameter, known] : name.parameters) parameters.insert(parameter);
      const auto value = part_of(name, part);
      if (!value) continue;
      if (leaves_controls_out && is_control(*value)) {
        out.left_out = true;
      } else if (std::find(out.sides.begin(), out.sides.end(), *value) == out.sides.end()) {
        out.sides.push_back(*value);
      }
    }
  }
  if (out.sides.empty()) {
    throw std::invalid_argument(
        fmt::format("no benchmark's name has a part '{}'; there are workload, storage, driver, mode{}{}",
                    part, parameters.empty() ? "" : ", ", fmt::join(parameters, ", ")));
  }
  std::sort(out.sides.begin(), out.sides.end(), comes_before);
  return out;
}

/// Those of a run's benchmarks whose names have no such part, each once.
std::vector<std::string> names_without(const run_file& run, std::string_view part) {
  std::set<std::string> out;
  for (const row& each : run.rows) {
    if (!part_of(take_apart(each.name), part)) out.insert(each.name);
  }
  return {out.begin(), out.end()};
}

/// The controls are no sides of what they are controls for.
bool leaves_controls_out(std::string_view part, std::string_view baseline) {
  return (part == "driver" || part == "storage") && !is_control(std::string(baseline));
}

constexpr const char* controls_left_out =
    "the controls null and echo are left out; --baseline null/null brings them in";

/// Those of a run's cells that have the value in that part, under names without it.
cells_by_name samples_with(const run_file& run, std::vector<std::string>& order, std::string_view part,
                           const std::string& value) {
  return samples_of(run, order, [&](const std::string& name) {
    const cell_name parsed = take_apart(name);
    return part_of(parsed, part) == value ? std::optional(without_part(parsed, part)) : std::nullopt;
  });
}

void remark_on_partless(const run_file& run, const std::string& label, std::string_view part,
                        std::vector<std::string>& remarks) {
  std::set<std::string> all;
  for (const row& each : run.rows) all.insert(each.name);
  const std::vector<std::string> partless = names_without(run, part);
  if (partless.empty() && !all.empty()) return;
  if (partless.size() == all.size()) {
    remarks.push_back(fmt::format("{}: no benchmark's name has a part '{}'", label, part));
  } else {
    remarks.push_back(fmt::format("{}: {} of {} benchmarks have no part '{}' and are left out, {} the first",
                                  label, partless.size(), all.size(), part, partless.front()));
  }
}

}  // namespace

line_up side_by_side(const std::vector<run_file>& runs, const std::vector<std::string>& labels) {
  line_up out;
  out.sides.resize(runs.size());
  std::vector<std::vector<std::string>> orders(runs.size());
  in_parallel(runs.size(), [&](std::size_t i) {
    const auto own_name = [](const std::string& name) { return std::optional(take_apart(name).text); };
    out.sides[i] = {.label = labels[i], .file = labels[i], .cells = samples_of(runs[i], orders[i], own_name)};
  });
  std::vector<std::string> order;
  for (std::vector<std::string>& one : orders) std::move(one.begin(), one.end(), std::back_inserter(order));
  sort_out(out, std::move(order));
  return out;
}

std::vector<line_up> by_part(const std::vector<run_file>& runs, const std::vector<std::string>& labels,
                             std::string_view part, std::string_view baseline) {
  const part_values values = values_of(runs, part, leaves_controls_out(part, baseline));
  std::vector<line_up> out;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    line_up lines{.file = labels[i]};
    std::vector<std::string> order;
    for (const std::string& value : values.sides) {
      lines.sides.push_back(
          {.label = value, .file = labels[i], .cells = samples_with(runs[i], order, part, value)});
    }
    sort_out(lines, order);
    remark_on_partless(runs[i], labels[i], part, lines.remarks);
    if (!order.empty() && lines.cells.empty() && runs.size() > 1)
      lines.remarks.push_back(fmt::format("{}: no benchmark differs in its {} alone", labels[i], part));
    out.push_back(std::move(lines));
  }
  if (values.left_out) out.front().remarks.emplace_back(controls_left_out);
  return out;
}

line_up by_part_across(const std::vector<run_file>& runs, const std::vector<std::string>& labels,
                       std::string_view part, std::string_view baseline) {
  const part_values values = values_of(runs, part, leaves_controls_out(part, baseline));
  line_up out;
  std::vector<std::string> order;
  for (const std::string& value : values.sides) {
    std::vector<contender> with_it;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      contender side{.label = value, .file = labels[i], .cells = samples_with(runs[i], order, part, value)};
      if (!side.cells.empty()) with_it.push_back(std::move(side));
    }
    for (contender& side : with_it) {
      if (with_it.size() > 1) side.label += fmt::format(" ({})", side.file);
      out.sides.push_back(std::move(side));
    }
  }
  sort_out(out, order);
  for (std::size_t i = 0; i < runs.size(); ++i) remark_on_partless(runs[i], labels[i], part, out.remarks);
  if (values.left_out) out.remarks.emplace_back(controls_left_out);
  return out;
}

}  // namespace dbdyno::results
