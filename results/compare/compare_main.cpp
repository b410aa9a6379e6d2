#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/clean_text.hpp"
#include "results/compare/compare_options.hpp"
#include "results/compare/comparison.hpp"
#include "results/compare/comparison_text.hpp"
#include "results/compare/differences.hpp"
#include "results/imports/load_results.hpp"
#include "results/program.hpp"

namespace dbdyno::results {
namespace {

/// File names without directory and extension, as far as that tells them apart.
std::vector<std::string> labels_of(const std::vector<std::string>& files) {
  std::vector<std::string> out;
  for (const std::string& file : files)
    out.push_back(clean_text(std::filesystem::path(file).stem().string()));
  if (std::set<std::string>(out.begin(), out.end()).size() == out.size()) return out;
  out.clear();
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto same = std::count(files.begin(), files.end(), files[i]);
    out.push_back(clean_text(same > 1 ? fmt::format("{} #{}", files[i], i + 1) : files[i]));
  }
  return out;
}

run_file load_filtered(const std::string& file, const compare_options& options,
                       std::vector<std::string>& remarks) {
  imported_run loaded = load_results(file);
  for (std::string& remark : loaded.remarks)
    remarks.push_back(fmt::format("{}: {}", file, std::move(remark)));
  run_file run = std::move(loaded.run);
  if (options.filter) {
    std::erase_if(run.rows, [&](const row& each) { return !options.filter->accepts(each.name); });
    std::erase_if(run.cells, [&](const cell& each) { return !options.filter->accepts(each.name); });
  }
  return run;
}

void move_to_front(line_up& lines, const std::string& baseline) {
  if (baseline.empty()) return;
  const auto found = std::find_if(lines.sides.begin(), lines.sides.end(),
                                  [&](const contender& side) { return side.label == baseline; });
  if (found == lines.sides.end()) {
    std::string names;
    for (const contender& side : lines.sides) names += (names.empty() ? "" : ", ") + side.label;
    throw command_line_error(
        fmt::format("--baseline: there is no side '{}'; there are {}", clean_text(baseline), names));
  }
  std::rotate(lines.sides.begin(), found, found + 1);
}

std::string print(const comparison& all, comparison_format format) {
  switch (format) {
    case comparison_format::markdown:
      return to_markdown(all);
    case comparison_format::csv:
      return to_csv(all);
    case comparison_format::json:
      return to_json(all);
    case comparison_format::table:
      break;
  }
  return to_table(all, ::isatty(STDOUT_FILENO) == 1);
}

bool any_regression(const comparison& all, double limit) {
  for (const metric_comparison& of : all.metrics) {
    for (const compared_cell& cell : of.cells) {
      for (const compared_side& side : cell.sides) {
        if (side.against_first && is_regression(*side.against_first, *of.what, limit)) return true;
      }
    }
  }
  return false;
}

int run(const compare_options& options) {
  std::vector<std::string> remarks;
  std::vector<run_file> runs;
  for (const std::string& file : options.files) runs.push_back(load_filtered(file, options, remarks));
  comparison_settings settings{.metrics = options.metrics,
                               .margin = options.margin,
                               .normalise = options.normalise,
                               .apart = options.by.empty()};
  for (const std::string& file : options.earlier)
    settings.earlier.push_back(load_filtered(file, options, remarks));

  const std::vector<std::string> labels = labels_of(options.files);
  line_up lines;
  if (options.by.empty()) {
    lines = side_by_side(runs, labels);
  } else {
    try {
      lines = by_part(runs.front(), options.by, options.baseline);
    } catch (const std::invalid_argument& error) {
      throw command_line_error(fmt::format("--by: {}", error.what()));
    }
  }
  move_to_front(lines, options.baseline);
  if (lines.cells.empty()) {
    throw command_line_error(fmt::format(
        "nothing in common: {}",
        lines.in_one_only.empty()
            ? "no benchmark is left"
            : fmt::format("each of the {} benchmarks is of one side only", lines.in_one_only.size())));
  }
  lines.remarks.insert(lines.remarks.begin(), remarks.begin(), remarks.end());

  comparison all = compare(lines, settings);
  all.differences = differences(runs, labels);
  if (!options.force) {
    std::string misleading;
    for (const run_difference& one : all.differences) {
      if (one.misleads) misleading += "\n  " + one.text;
    }
    if (!misleading.empty()) {
      throw command_line_error(
          fmt::format("these runs are not of one thing, so that their figures would mislead:{}\n--force "
                      "compares them nevertheless",
                      misleading));
    }
  }
  if (all.metrics.empty())
    throw command_line_error("nothing in common: no two sides have one of the metrics");
  fmt::print("{}", print(all, options.format));
  if (std::fflush(stdout) != 0) throw command_line_error("cannot write to standard output");
  return options.fail_above && any_regression(all, *options.fail_above) ? exit_regression : exit_fine;
}

}  // namespace
}  // namespace dbdyno::results

int main(int argc, char** argv) {
  using namespace dbdyno::results;
  const auto body = [&] {
    const parsed_compare_command parsed = parse_compare_command(argc, argv);
    if (parsed.text) {
      fmt::print("{}", *parsed.text);
      return exit_fine;
    }
    return run(parsed.options);
  };
  // A histogram that cannot be read shows only here, and makes a file unusable.
  return run_program("dbdyno-compare", body, exit_usage);
}
