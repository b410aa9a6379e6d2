#include "results/compare/comparison_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "results/clean_text.hpp"
#include "results/compare/text_grid.hpp"
#include "results/figures.hpp"
#include "results/statistics/mann_whitney.hpp"

namespace dbdyno::results {
namespace {

constexpr const char* green = "\x1b[32m";
constexpr const char* red = "\x1b[31m";

std::string figure(const std::optional<double>& value, const metric& what) {
  if (!value) return "-";
  switch (what.in) {
    case metric::unit::per_second:
      return *value < 100 ? fmt::format("{:.3g}", *value) : whole(*value);
    case metric::unit::nanoseconds:
      return as_time(*value);
    case metric::unit::bytes:
    case metric::unit::number:
      break;
  }
  return fmt::format("{:.4g}", *value);
}

std::string ratio_text(const std::optional<double>& ratio) {
  if (!ratio) return "";
  if (*ratio < 0.1) return fmt::format("{:.2g}x", *ratio);
  return *ratio < 10 ? fmt::format("{:.3f}x", *ratio) : fmt::format("{:.3g}x", *ratio);
}

std::string interval_text(const change& of) {
  if (!of.low || !of.high) return "";
  const auto number = [&](double x) {
    if (!of.is_ratio) return fmt::format("{:+.3g}", x);
    return x < 10 ? fmt::format("{:.3f}", x) : fmt::format("{:.3g}", x);
  };
  return fmt::format("{} to {}", number(*of.low), number(*of.high));
}

std::string p_text(double p) {
  return p < 0.001 ? "<0.001" : fmt::format("{:.3f}", p);
}

std::string colour_of(const compared_side& side, const metric& what) {
  if (!side.against_first) return "";
  const outcome said = side.against_first->said;
  if (said != outcome::higher && said != outcome::lower) return "";
  return (said == outcome::higher) == what.higher_is_better ? green : red;
}

std::string with_note(std::string text, const std::string& note) {
  if (note.empty()) return text;
  return text.empty() ? note : text + "; " + note;
}

/// What the last columns say of a side that was compared.
std::vector<std::string> change_cells(const compared_side& side, const metric& what, double margin) {
  if (!side.against_first) return {"", "", "", "", side.note};
  const change& of = *side.against_first;
  const auto amount = [&](const std::optional<double>& value) {
    return of.is_ratio ? ratio_text(value) : value ? fmt::format("{:+.3g}", *value) : "";
  };
  return {amount(of.ratio), interval_text(of), amount(of.shift), p_text(of.adjusted_p),
          with_note(describe(of, what, margin), side.note)};
}

void add_change_columns(text_grid& grid) {
  grid.columns.insert(
      grid.columns.end(),
      {{"ratio", false}, {"95 % interval", false}, {"shift", false}, {"p", false}, {"", true}});
}

bool is_normalised(const metric_comparison& of) {
  return std::any_of(of.cells.begin(), of.cells.end(),
                     [](const compared_cell& cell) { return !cell.reference.empty(); });
}

std::string times_reference(const compared_side& side) {
  return side.normalised ? fmt::format("{:.3g}", *side.normalised) : "";
}

/// The first column, which is left out where one file alone could be meant.
std::string file_of(const compared_cell& cell, const comparison& all) {
  return all.files.size() > 1 ? cell.file : "";
}

/// A line for each cell: there are two sides in all.
text_grid pairs_grid(const comparison& all, const metric_comparison& of) {
  text_grid grid;
  grid.columns = {{"file", true}, {"benchmark", true}};
  const bool normalised = is_normalised(of);
  for (const std::string& label : all.labels) {
    grid.columns.push_back({label, false});
    if (normalised) grid.columns.push_back({"/ reference", false});
  }
  add_change_columns(grid);
  const auto note_on = [&](const compared_side& side) {
    return side.note.empty() ? "" : fmt::format("{}: {}", all.labels[side.side], side.note);
  };
  for (const compared_cell& cell : of.cells) {
    text_grid::line line{.cells = {file_of(cell, all), cell.name}};
    std::vector<const compared_side*> in_order{&cell.sides[0], &cell.sides[1]};
    if (in_order[0]->side > in_order[1]->side) std::swap(in_order[0], in_order[1]);
    for (const compared_side* side : in_order) {
      line.cells.push_back(figure(side->value, *of.what));
      if (normalised) line.cells.push_back(times_reference(*side));
    }
    compared_side other = cell.sides[1];
    other.note = with_note(note_on(*in_order[0]), note_on(*in_order[1]));
    const std::vector<std::string> rest = change_cells(other, *of.what, all.margin);
    line.cells.insert(line.cells.end(), rest.begin(), rest.end());
    line.colour = colour_of(cell.sides[1], *of.what);
    grid.lines.push_back(std::move(line));
  }
  return grid;
}

/// A line for each side of each cell.
text_grid sides_grid(const comparison& all, const metric_comparison& of) {
  text_grid grid;
  grid.columns = {{"file", true},
                  {"benchmark", true},
                  {"", true},
                  {std::string(of.what->heading), false},
                  {"/ reference", false}};
  add_change_columns(grid);
  for (const compared_cell& cell : of.cells) {
    for (std::size_t i = 0; i < cell.sides.size(); ++i) {
      const compared_side& side = cell.sides[i];
      text_grid::line line{.cells = {i == 0 ? file_of(cell, all) : "", i == 0 ? cell.name : "",
                                     all.labels[side.side], figure(side.value, *of.what),
                                     times_reference(side)}};
      std::vector<std::string> rest = change_cells(side, *of.what, all.margin);
      line.cells.insert(line.cells.end(), rest.begin(), rest.end());
      line.colour = colour_of(side, *of.what);
      grid.lines.push_back(std::move(line));
    }
  }
  return grid;
}

text_grid grid_of(const comparison& all, const metric_comparison& of) {
  return all.labels.size() == 2 ? pairs_grid(all, of) : sides_grid(all, of);
}

/// Where repetitions are too few for the family, however far apart its sides are.
std::string why_nothing_can_show(const metric_comparison& of) {
  double least = 1;
  for (const compared_cell& cell : of.cells) {
    for (const compared_side& side : cell.sides) {
      const std::size_t first = cell.sides.front().repetitions;
      // Of a single repetition there is no interval, and nothing to say.
      if (side.against_first && std::min(first, side.repetitions) > 1)
        least = std::min(least, least_p(first, side.repetitions));
    }
  }
  constexpr double level = 0.05;
  if (of.family == 0 || least * static_cast<double>(of.family) < level) return "";
  return fmt::format(
      "; no side can be called better or worse here: with so few repetitions p is {:.2g} at least{}", least,
      of.family > 1 ? fmt::format(", times {}", of.family) : "");
}

/// What stands for a side; see figures_for.
std::string_view average_of(const metric& what) {
  if (what.percentile) return "all repetitions together, or without histograms the geometric mean of theirs";
  return "geometric mean of the repetitions, or plain where one is 0";
}

std::string title_of(const comparison& all, const metric_comparison& of) {
  std::string family;
  if (of.family > 1) {
    const std::string where = all.files.size() > 1 ? fmt::format(" in {} files", all.files.size()) : "";
    family = fmt::format("; p corrected for {} comparisons{} (Holm)", of.family, where);
  }
  return fmt::format("{}, {}, {} is better{}{}", of.what->heading, average_of(*of.what),
                     of.what->higher_is_better ? "higher" : "lower", family, why_nothing_can_show(of));
}

/// How many sides there are of each outcome, where there are several.
std::string summary_of(const comparison& all, const metric_comparison& of) {
  std::map<outcome, std::size_t> counts;
  std::size_t compared = 0;
  for (const compared_cell& cell : of.cells) {
    for (const compared_side& side : cell.sides) {
      if (!side.against_first) continue;
      ++compared;
      ++counts[side.against_first->said];
    }
  }
  if (compared < 2) return "";
  std::string out = fmt::format("{} comparisons", with_thousands(compared));
  const char* separator = ": ";
  for (const outcome said : {outcome::higher, outcome::lower, outcome::same, outcome::cannot_tell}) {
    out += fmt::format("{}{} {}", separator, with_thousands(counts[said]),
                       describe({.said = said}, *of.what, all.margin));
    separator = ", ";
  }
  return out;
}

/// What was found of the runs themselves, each in a line.
std::vector<std::string> notes_of(const comparison& all) {
  std::vector<std::string> out;
  for (const run_difference& one : all.differences)
    out.push_back(clean_text((one.misleads ? "differs, and misleads: " : "differs: ") + one.text));
  for (const std::string& one : all.remarks) out.push_back(clean_text(one));
  return out;
}

template <class Heading, class Item>
std::string list(const std::vector<std::string>& items, Heading heading, Item item) {
  if (items.empty()) return "";
  std::string out = heading;
  for (const std::string& one : items) out += item(one);
  return out;
}

const char* word_of(outcome said) {
  switch (said) {
    case outcome::higher:
      return "higher";
    case outcome::lower:
      return "lower";
    case outcome::same:
      return "same";
    case outcome::cannot_tell:
      break;
  }
  return "cannot tell";
}

/// A field of CSV.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{:.17g}", *value) : "";
}

using json = nlohmann::ordered_json;

void put(json& to, const char* key, const std::optional<double>& value) {
  if (value && std::isfinite(*value)) to[key] = *value;
}

json change_to_json(const change& of, const metric& what, double margin) {
  json out;
  put(out, of.is_ratio ? "ratio" : "difference", of.ratio);
  put(out, "low", of.low);
  put(out, "high", of.high);
  put(out, "shift", of.shift);
  out["p"] = of.p;
  out["adjusted_p"] = of.adjusted_p;
  out["outcome"] = word_of(of.said);
  out["says"] = describe(of, what, margin);
  if (of.enough_repetitions) out["enough_repetitions"] = *of.enough_repetitions;
  if (of.repetitions_for_margin) out["repetitions_for_margin"] = *of.repetitions_for_margin;
  return out;
}

json strings(const std::vector<std::string>& values) {
  json out = json::array();
  for (const std::string& value : values) out.push_back(clean_text(value));
  return out;
}

}  // namespace

std::string to_table(const comparison& all, bool colour) {
  std::string out;
  for (const std::string& note : notes_of(all)) out += note + "\n";
  for (const metric_comparison& of : all.metrics) {
    out += fmt::format("{}{}\n", out.empty() ? "" : "\n", title_of(all, of));
    out += grid_of(all, of).aligned(colour);
    if (const std::string summary = summary_of(all, of); !summary.empty()) out += summary + "\n";
  }
  out += list(all.in_one_only, "\nOnly one side has:\n",
              [](const std::string& one) { return "  " + clean_text(one) + "\n"; });
  return out;
}

std::string to_markdown(const comparison& all) {
  std::string out;
  for (const std::string& note : notes_of(all)) out += "- " + note + "\n";
  for (const metric_comparison& of : all.metrics) {
    out += fmt::format("{}### {}\n\n", out.empty() ? "" : "\n", title_of(all, of));
    out += grid_of(all, of).markdown();
    if (const std::string summary = summary_of(all, of); !summary.empty()) out += "\n" + summary + "\n";
  }
  out += list(all.in_one_only, "\n### Only one side has\n\n",
              [](const std::string& one) { return "- `" + clean_text(one) + "`\n"; });
  return out;
}

std::string to_csv(const comparison& all) {
  std::string out =
      "metric,file,benchmark,side,value,repetitions,normalised,reference,kind,change,low,high,shift,p,"
      "adjusted_p,outcome,enough_repetitions,note\n";
  for (const metric_comparison& of : all.metrics) {
    for (const compared_cell& cell : of.cells) {
      for (const compared_side& side : cell.sides) {
        const auto& against = side.against_first;
        const auto of_change = [&](auto get) { return against ? number(get(*against)) : std::string(); };
        out += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", of.what->name, quoted(cell.file),
            quoted(cell.name), quoted(all.labels[side.side]), number(side.value), side.repetitions,
            number(side.normalised), quoted(cell.reference),
            against ? against->is_ratio ? "ratio" : "difference" : "",
            of_change([](const change& c) { return std::optional(c.ratio); }),
            of_change([](const change& c) { return c.low; }),
            of_change([](const change& c) { return c.high; }),
            of_change([](const change& c) { return c.shift; }),
            of_change([](const change& c) { return std::optional(c.p); }),
            of_change([](const change& c) { return std::optional(c.adjusted_p); }),
            against ? word_of(against->said) : "",
            against && against->enough_repetitions ? std::to_string(*against->enough_repetitions) : "",
            quoted(side.note));
      }
    }
  }
  return out;
}

std::string beside_csv(const comparison& all) {
  std::string out;
  for (const std::string& note : notes_of(all)) out += note + "\n";
  for (const std::string& one : all.in_one_only) out += "only one side has " + clean_text(one) + "\n";
  return out;
}

std::string to_json(const comparison& all) {
  json out;
  out["sides"] = strings(all.labels);
  if (!all.files.empty()) out["files"] = strings(all.files);
  out["margin"] = all.margin;
  out["differences"] = json::array();
  for (const run_difference& one : all.differences)
    out["differences"].push_back({{"text", clean_text(one.text)}, {"misleads", one.misleads}});
  out["remarks"] = strings(all.remarks);
  out["in_one_only"] = strings(all.in_one_only);
  out["metrics"] = json::array();
  for (const metric_comparison& of : all.metrics) {
    json one{
        {"metric", of.what->name}, {"higher_is_better", of.what->higher_is_better}, {"family", of.family}};
    one["cells"] = json::array();
    for (const compared_cell& cell : of.cells) {
      json entry;
      if (!cell.file.empty()) entry["file"] = clean_text(cell.file);
      entry["name"] = clean_text(cell.name);
      if (!cell.reference.empty()) entry["reference"] = clean_text(cell.reference);
      entry["sides"] = json::array();
      for (const compared_side& side : cell.sides) {
        json told{{"side", clean_text(all.labels[side.side])}, {"repetitions", side.repetitions}};
        put(told, "value", side.value);
        put(told, "normalised", side.normalised);
        if (side.against_first) told["change"] = change_to_json(*side.against_first, *of.what, all.margin);
        if (!side.note.empty()) told["note"] = clean_text(side.note);
        entry["sides"].push_back(std::move(told));
      }
      one["cells"].push_back(std::move(entry));
    }
    out["metrics"].push_back(std::move(one));
  }
  return out.dump(1) + "\n";
}

}  // namespace dbdyno::results
