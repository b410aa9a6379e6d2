#include "results/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

#include "results/compare/reference_cell.hpp"
#include "results/in_parallel.hpp"
#include "results/latency_record.hpp"
#include "results/run_file_reader.hpp"
#include "results/statistics/holm.hpp"
#include "results/statistics/moments.hpp"

namespace dbdyno::results {
namespace {

std::vector<double> figures_of(const cell_sample& sample, const metric& what) {
  std::vector<double> out;
  for (const row* each : sample.rows) {
    if (const auto figure = figure_of(*each, what)) out.push_back(*figure);
  }
  return out;
}

double geometric_mean(const std::vector<double>& values) {
  if (*minimum(values) <= 0) return *mean(values);
  std::vector<double> logs;
  logs.reserve(values.size());
  for (const double value : values) logs.push_back(std::log(value));
  return std::exp(*mean(logs));
}

/// One side's figures of one cell and metric, ready to be compared.
struct side_figures {
  std::vector<double> values{};                 ///< of each repetition, normalised where there is a reference
  const merged_durations* durations = nullptr;  ///< where the metric is a percentile of all of them
  std::optional<double> figure{};               ///< of all repetitions together, not normalised
  std::string note{};                           ///< why there is less than one would expect

  bool empty() const { return values.empty() && durations == nullptr; }
  std::size_t repetitions() const { return durations != nullptr ? durations->repetitions() : values.size(); }
};

/// The latencies of the repetitions of one side's cell. None where there are none.
std::optional<merged_durations> durations_of(const contender& side, const std::string& name) {
  const auto found = side.cells.find(name);
  if (found == side.cells.end() || found->second.latencies.empty()) return std::nullopt;
  const cell_sample& sample = found->second;
  std::vector<counted_durations> counted;
  for (std::size_t i = 0; i < sample.latencies.size(); ++i) {
    try {
      counted.push_back(to_counted_durations(*sample.latencies[i]));
    } catch (const std::runtime_error& error) {
      throw result_file_error(side.file, fmt::format("{}, repetition {}: histogram 'ok': {}", name,
                                                     sample.rows[i]->repetition, error.what()));
    }
  }
  merged_durations out(std::move(counted));
  if (out.repetitions() == 0) return std::nullopt;
  return out;
}

std::vector<std::optional<merged_durations>> durations_of(const std::vector<contender>& sides,
                                                          const std::string& name) {
  std::vector<std::optional<merged_durations>> out;
  out.reserve(sides.size());
  for (const contender& side : sides) out.push_back(durations_of(side, name));
  return out;
}

/// One cell's latencies, which all percentiles have in common: of the sides and of earlier runs.
struct cell_durations {
  std::vector<std::optional<merged_durations>> sides;
  std::vector<std::optional<merged_durations>> earlier;
};

side_figures figures_for(const contender& side, const std::string& name, const metric& what,
                         const std::string& reference, const std::optional<merged_durations>& durations) {
  side_figures out;
  const auto found = side.cells.find(name);
  if (found == side.cells.end()) return out;
  const cell_sample& sample = found->second;
  if (what.percentile && durations) {
    out.durations = &*durations;
    if (const auto merged = out.durations->supported_percentile(*what.percentile)) {
      out.figure = static_cast<double>(*merged);
    } else {
      return {.note = "too few operations for it"};
    }
  }
  if (!reference.empty()) {
    out.durations = nullptr;
    out.values = normalised_figures(sample, side.cells.at(reference), what);
  } else if (out.durations != nullptr) {
    for (std::size_t i = 0; i < out.durations->repetitions(); ++i)
      out.values.push_back(
          std::max(1.0, static_cast<double>(out.durations->percentile_of(i, *what.percentile))));
  } else {
    out.values = figures_of(sample, what);
  }
  if (!out.figure) {
    if (const std::vector<double> own = figures_of(sample, what); !own.empty())
      out.figure = geometric_mean(own);
  }
  return out;
}

void append(std::string& to, std::string_view separator, std::string_view text) {
  if (text.empty()) return;
  if (!to.empty()) to += separator;
  to += text;
}

std::string note_on(const cell_sample& sample) {
  std::string out;
  const auto add = [&](std::size_t count, const char* what) {
    if (count != 0) append(out, ", ", fmt::format("{} {}", count, what));
  };
  add(sample.errored, "errored");
  add(sample.invalid, "INVALID");
  if (!out.empty()) append(out, ": ", sample.why_not);
  add(sample.suspect, "suspect");
  if (sample.only_statistics) append(out, ", ", "its repetitions are not in the file");
  return out;
}

std::optional<two_sample_comparison> compare_two(const side_figures& first, const side_figures& other,
                                                 const metric& what, const comparison_options& options) {
  if (first.durations != nullptr && other.durations != nullptr)
    return compare_percentiles(*first.durations, *other.durations, *what.percentile, options);
  return compare_samples(first.values, other.values, options);
}

/// What earlier runs say of a cell's spread between runs.
std::optional<between_run_spread> learn_spread(
    const std::vector<contender>& earlier, const std::string& name, const metric& what,
    const std::string& reference, const std::vector<std::optional<merged_durations>>& durations) {
  std::vector<std::vector<double>> samples;
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    if (!reference.empty() && !earlier[i].cells.contains(reference)) continue;
    std::vector<double> logs;
    for (const double value : figures_for(earlier[i], name, what, reference, durations[i]).values) {
      if (value > 0) logs.push_back(std::log(value));
    }
    if (!logs.empty()) samples.push_back(std::move(logs));
  }
  return learn_between_runs(samples);
}

/// Whether no repetition differs from another on either side. Of what was measured by a clock that is no
/// agreement but rounding: what is shown in whole milliseconds may be half of one more or less.
bool are_rounded_alike(const side_figures& first, const side_figures& other, const metric& what) {
  const auto all_alike = [](const std::vector<double>& values) {
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
  };
  const bool by_a_clock = what.in == metric::unit::nanoseconds || what.in == metric::unit::per_second;
  const bool of_histograms = first.durations != nullptr && other.durations != nullptr;
  return by_a_clock && !of_histograms && all_alike(first.values) && all_alike(other.values);
}

/// A change whose words have to wait for its family.
struct pending_change {
  std::size_t cell;
  std::size_t side;  ///< within the cell
  two_sample_comparison found;
  std::optional<between_run_spread> between;
  bool rounded_alike;
};

class metric_comparer {
 public:
  metric_comparer(const metric& what, const comparison_settings& settings,
                  const std::vector<contender>& earlier)
      : settings_(settings), earlier_(earlier) {
    out_.what = &what;
  }

  /// What is to be judged together with the other cells.
  struct cell_with_changes {
    compared_cell cell;
    std::vector<pending_change> changes{};
  };

  /// None where no side has the figure, or anything to say of why not. Threads: any number may call it.
  std::optional<cell_with_changes> compare_cell(const line_up& lines, const std::string& name,
                                                const cell_durations& durations) const {
    cell_with_changes out{.cell = {.file = lines.file, .name = name}};
    compared_cell& cell = out.cell;
    if (settings_.normalise) cell.reference = common_reference(lines.sides, name, *out_.what);
    std::optional<side_figures> first;
    bool tells_why = false;
    for (std::size_t i = 0; i < lines.sides.size(); ++i) {
      const auto found = lines.sides[i].cells.find(name);
      if (found == lines.sides[i].cells.end()) continue;
      side_figures figures =
          figures_for(lines.sides[i], name, *out_.what, cell.reference, durations.sides[i]);
      compared_side side{.side = i,
                         .value = figures.figure,
                         .repetitions = figures.repetitions(),
                         .note = note_on(found->second)};
      append(side.note, ", ", figures.note);
      if (found->second.rows.empty() || !figures.note.empty()) tells_why = true;
      if (!cell.reference.empty() && !figures.values.empty())
        side.normalised = geometric_mean(figures.values);
      if (first && (first->durations == nullptr) != (figures.durations == nullptr) && !figures.empty())
        append(side.note, ", ",
               fmt::format("compared by each repetition's own, as {} has no histograms",
                           lines.sides[figures.durations == nullptr ? i : cell.sides.front().side].label));
      if (first && !figures.empty() && is_comparable(cell)) {
        comparison_options options;
        if (settings_.apart)
          options.between = learn_spread(earlier_, name, *out_.what, cell.reference, durations.earlier);
        if (auto change = compare_two(*first, figures, *out_.what, options))
          out.changes.push_back({0, cell.sides.size(), *change, options.between,
                                 cell.reference.empty() && are_rounded_alike(*first, figures, *out_.what)});
      }
      cell.sides.push_back(std::move(side));
      // What has no figure is shown after the first that has one, and compared with nothing.
      if (!first && !figures.empty()) {
        first = std::move(figures);
        std::rotate(cell.sides.begin(), cell.sides.end() - 1, cell.sides.end());
      }
    }
    if (first && !is_comparable(cell)) append(cell.sides.back().note, ", ", "not normalised: no reference");
    if (!first && !tells_why) return std::nullopt;
    return out;
  }

  void add(cell_with_changes found) {
    for (pending_change& one : found.changes) {
      one.cell = out_.cells.size();
      pending_.push_back(one);
    }
    out_.cells.push_back(std::move(found.cell));
  }

  metric_comparison finish() {
    judge();
    return std::move(out_);
  }

 private:
  /// Figures that were divided by nothing would stand among those of drivers, and tell of machines.
  bool is_comparable(const compared_cell& cell) const {
    return !settings_.normalise || !cell.reference.empty();
  }

  void judge() {
    std::vector<double> p_values;
    for (const pending_change& one : pending_) p_values.push_back(one.found.test.p);
    const std::vector<double> adjusted = holm(p_values);
    out_.family = pending_.size();
    out_.of_unknown_spread = static_cast<std::size_t>(std::count_if(
        pending_.begin(), pending_.end(), [](const pending_change& one) { return !one.between; }));
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      const two_sample_comparison& found = pending_[i].found;
      change said{.is_ratio = found.ratios,
                  .ratio = found.estimate,
                  .low = found.low,
                  .high = found.high,
                  .shift = found.shift,
                  .p = found.test.p,
                  .adjusted_p = adjusted[i],
                  .said = decide(found, adjusted[i], settings_.margin)};
      compared_side& side = out_.cells[pending_[i].cell].sides[pending_[i].side];
      if (pending_[i].rounded_alike) {
        // More repetitions would be as alike.
        if (said.said == outcome::same) said.said = outcome::cannot_tell;
        append(side.note, ", ", "all repetitions are alike, so rounded: known to the last digit shown only");
      } else if (found.noise && settings_.margin > 0) {
        const auto needed_for = [&](double change) {
          return repetitions_needed(*found.noise,
                                    {.change = change, .level = 0.05 / static_cast<double>(pending_.size())},
                                    pending_[i].between);
        };
        said.repetitions_for_margin = needed_for(settings_.margin);
        if (said.said == outcome::cannot_tell) {
          // For what seems to be there, or the least change that is to be found.
          const double seen = found.ratios ? std::exp(std::abs(std::log(found.estimate))) - 1 : 0;
          said.enough_repetitions = needed_for(std::max(settings_.margin, seen));
          said.no_number_would_do = !said.enough_repetitions;
        }
      }
      side.against_first = said;
    }
  }

  const comparison_settings& settings_;
  const std::vector<contender>& earlier_;
  std::vector<pending_change> pending_{};
  metric_comparison out_{};
};

std::vector<metric_comparison> compare_metrics(const std::vector<line_up>& line_ups,
                                               const std::vector<const metric*>& metrics,
                                               const comparison_settings& settings,
                                               const std::vector<contender>& earlier) {
  std::vector<metric_comparer> comparers;
  for (const metric* what : metrics) comparers.emplace_back(*what, settings, earlier);
  const bool of_percentiles = std::any_of(metrics.begin(), metrics.end(),
                                          [](const metric* what) { return what->percentile.has_value(); });
  std::vector<std::pair<const line_up*, const std::string*>> all;
  for (const line_up& lines : line_ups)
    for (const std::string& name : lines.cells) all.emplace_back(&lines, &name);
  std::vector<std::vector<std::optional<metric_comparer::cell_with_changes>>> found(all.size());
  in_parallel(all.size(), [&](std::size_t i) {
    const auto& [lines, name] = all[i];
    cell_durations durations;
    durations.sides.resize(lines->sides.size());
    durations.earlier.resize(earlier.size());
    if (of_percentiles) durations.sides = durations_of(lines->sides, *name);
    if (of_percentiles && settings.apart) durations.earlier = durations_of(earlier, *name);
    for (const metric_comparer& one : comparers)
      found[i].push_back(one.compare_cell(*lines, *name, durations));
  });
  std::vector<metric_comparison> out;
  for (std::size_t m = 0; m < comparers.size(); ++m) {
    for (auto& cell : found)
      if (cell[m]) comparers[m].add(*std::move(cell[m]));
    out.push_back(comparers[m].finish());
  }
  return out;
}

/// Those that two sides have in a cell, of the usual ones; real time where a side has no rate, as with
/// results of others.
std::vector<const metric*> choose_metrics(const std::vector<line_up>& line_ups,
                                          const comparison_settings& settings) {
  if (!settings.metrics.empty()) return settings.metrics;
  std::vector<const metric*> out;
  for (const metric& one : all_metrics().first(usual_metrics)) out.push_back(&one);
  const auto lacks_rate = [](const contender& side) {
    return !side.cells.empty() && std::none_of(side.cells.begin(), side.cells.end(), [](const auto& cell) {
      return std::any_of(cell.second.rows.begin(), cell.second.rows.end(),
                         [](const row* each) { return each->counters.contains("items_per_second"); });
    });
  };
  const bool lacking = std::any_of(line_ups.begin(), line_ups.end(), [&](const line_up& lines) {
    return std::any_of(lines.sides.begin(), lines.sides.end(), lacks_rate);
  });
  if (lacking) {
    out.push_back(find_metric("real_time"));
    out.push_back(find_metric("cpu_time"));
  }
  return out;
}

bool compares_anything(const metric_comparison& of) {
  return std::any_of(of.cells.begin(), of.cells.end(), [](const compared_cell& cell) {
    return std::count_if(cell.sides.begin(), cell.sides.end(),
                         [](const compared_side& side) { return side.value.has_value(); }) > 1;
  });
}

std::vector<std::string> notes_on_sides(const metric_comparison& of, const std::vector<std::string>& labels) {
  std::vector<std::string> out;
  for (const compared_cell& cell : of.cells) {
    for (const compared_side& side : cell.sides) {
      if (!side.note.empty())
        out.push_back(fmt::format("{} ({}): {}", cell.name, labels[side.side], side.note));
    }
  }
  return out;
}

}  // namespace

comparison compare(const std::vector<line_up>& line_ups, const comparison_settings& settings) {
  comparison out;
  for (const contender& side : line_ups.front().sides) out.labels.push_back(side.label);
  for (const line_up& lines : line_ups) {
    if (!lines.file.empty()) out.files.push_back(lines.file);
    const bool one_of_several = line_ups.size() > 1;
    for (const std::string& one : lines.in_one_only)
      out.in_one_only.push_back(one_of_several ? fmt::format("{}: {}", lines.file, one) : one);
    out.remarks.insert(out.remarks.end(), lines.remarks.begin(), lines.remarks.end());
  }
  out.margin = settings.margin;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < settings.earlier.size(); ++i)
    names.push_back(fmt::format("earlier run {}", i + 1));
  const std::vector<contender> earlier = side_by_side(settings.earlier, names).sides;
  std::size_t unknown = 0;
  std::size_t all = 0;
  std::vector<std::string> reasons;
  for (metric_comparison& one :
       compare_metrics(line_ups, choose_metrics(line_ups, settings), settings, earlier)) {
    if (compares_anything(one)) {
      unknown += one.of_unknown_spread;
      all += one.family;
      out.metrics.push_back(std::move(one));
      continue;
    }
    if (!settings.metrics.empty())
      out.remarks.push_back(fmt::format("{}: no two sides have it", one.what->name));
    if (reasons.empty()) reasons = notes_on_sides(one, out.labels);
  }
  if (out.metrics.empty()) out.remarks.insert(out.remarks.end(), reasons.begin(), reasons.end());
  if (settings.apart && unknown != 0) {
    const std::string which =
        earlier.size() < 2
            ? ""
            : fmt::format(", for {} of {} comparisons by nothing that was learned", unknown, all);
    out.remarks.push_back(
        fmt::format("the sides were recorded apart, so what differs between any two runs stands beside what "
                    "was changed{}; "
                    "--earlier with two runs or more of the same benchmarks widens the intervals by it",
                    which));
  }
  return out;
}

std::string describe(const change& of, const metric& what, double margin) {
  switch (of.said) {
    case outcome::higher:
      return std::string(what.word_for_more());
    case outcome::lower:
      return std::string(what.word_for_less());
    case outcome::same:
      return fmt::format("same within {:g} %", 100 * margin);
    case outcome::cannot_tell:
      break;
  }
  if (of.enough_repetitions)
    return fmt::format("cannot tell, {} repetitions would do", *of.enough_repetitions);
  return of.no_number_would_do ? "cannot tell, and no number of repetitions would do" : "cannot tell";
}

bool is_regression(const change& of, const metric& what, double limit) {
  if (of.said != outcome::higher && of.said != outcome::lower) return false;
  const bool got_worse = (of.said == outcome::higher) != what.higher_is_better;
  if (!got_worse) return false;
  if (!of.is_ratio) return true;
  return what.higher_is_better ? of.ratio < 1 - limit : of.ratio > 1 + limit;
}

}  // namespace dbdyno::results
