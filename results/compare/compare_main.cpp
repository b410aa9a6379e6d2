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
#include "results/in_parallel.hpp"
#include "results/program.hpp"

namespace dbdyno::results {
namespace {

/// File names without directory and extension, as far as that tells them apart.
std::vector<std::string> labels_of(const std::vector<std::string>& files) {
  std::vector<std::string> out;
  out.reserve(files.size());
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

std::vector<run_file> load_all(const std::vector<std::string>& files, const compare_options& options,
                               std::vector<std::string>& remarks) {
  std::vector<imported_run> loaded(files.size());
  in_parallel(files.size(), [&](std::size_t i) {
    loaded[i] = load_results(files[i]);
    if (!options.filter) return;
    std::erase_if(loaded[i].run.rows, [&](const row& each) { return !options.filter->accepts(each.name); });
    std::erase_if(loaded[i].run.cells, [&](const cell& each) { return !options.filter->accepts(each.name); });
  });
  std::vector<run_file> out;
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const std::string& remark : loaded[i].remarks)
      remarks.push_back(fmt::format("{}: {}", clean_text(files[i]), remark));
    out.push_back(std::move(loaded[i].run));
  }
  return out;
}

void move_to_front(std::vector<line_up>& line_ups, const std::string& baseline) {
  if (baseline.empty()) return;
  for (line_up& lines : line_ups) {
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
}

std::vector<line_up> line_ups_of(const std::vector<run_file>& runs, const std::vector<std::string>& labels,
                                 const compare_options& options) {
  if (options.by.empty()) return {side_by_side(runs, labels)};
  try {
    if (options.across) return {by_part_across(runs, labels, options.by, options.baseline)};
    return by_part(runs, labels, options.by, options.baseline);
  } catch (const std::invalid_argument& error) {
    throw command_line_error(fmt::format("--by: {}", error.what()));
  }
}

/// Parts of one file are compared as if they had been measured in turn, which only our plans tell.
void remark_on_order(const std::vector<run_file>& runs, const std::vector<std::string>& labels,
                     std::vector<std::string>& remarks) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].plan.order.empty()) continue;
    remarks.push_back(fmt::format(
        "{}: it does not tell in which order it was measured; where its parts ran one after the other, what "
        "drifted meanwhile stands beside what they differ in",
        labels[i]));
  }
}

/// Why nothing can be compared, with all that was said of the files before: one of them may be to blame.
command_line_error nothing_in_common(const std::string& why, const std::vector<run_file>& runs,
                                     const compare_options& options,
                                     const std::vector<std::string>& remarks) {
  std::string out = "nothing in common: " + why;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].rows.empty()) {
      out += fmt::format("\n  {}: {}", clean_text(options.files[i]),
                         options.filter ? "no row that --filter takes" : "it has no rows");
    }
  }
  for (const std::string& remark : remarks) out += "\n  " + remark;
  return command_line_error{out};
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

/// What got worse beyond the limit, each in words.
std::vector<std::string> regressions(const comparison& all, double limit) {
  std::vector<std::string> out;
  for (const metric_comparison& of : all.metrics) {
    for (const compared_cell& cell : of.cells) {
      for (const compared_side& side : cell.sides) {
        if (!side.against_first || !is_regression(*side.against_first, *of.what, limit)) continue;
        const change& found = *side.against_first;
        out.push_back(fmt::format("{}{}: {} {} in {} than in {}{}", cell.file.empty() ? "" : cell.file + ", ",
                                  cell.name, of.what->name, describe(found, *of.what, 0),
                                  all.labels.at(side.side), all.labels.at(cell.sides.front().side),
                                  found.is_ratio ? fmt::format(", {:.3g} times", found.ratio) : ""));
      }
    }
  }
  return out;
}

/// A gate that passes must not hide what it could not look at.
void tell_what_was_not_compared(const comparison& all) {
  std::set<std::string> names;
  for (const metric_comparison& of : all.metrics) {
    for (const compared_cell& cell : of.cells) {
      for (const compared_side& side : cell.sides) {
        if (!side.value && !side.note.empty()) names.insert(cell.name);
      }
    }
  }
  if (names.empty()) return;
  fmt::print(stderr,
             "dbdyno-compare: --fail-above says nothing of {} benchmarks of which a side has no figure that "
             "counts, {} the first\n",
             names.size(), clean_text(*names.begin()));
}

int run(const compare_options& options) {
  std::vector<std::string> remarks;
  const std::vector<run_file> runs = load_all(options.files, options, remarks);
  const bool is_apart = options.by.empty() || options.across;
  const comparison_settings settings{.metrics = options.metrics,
                                     .margin = options.margin,
                                     .normalise = options.normalise,
                                     .apart = is_apart,
                                     .earlier = load_all(options.earlier, options, remarks)};
  const std::vector<std::string> labels = labels_of(options.files);
  std::vector<line_up> line_ups = line_ups_of(runs, labels, options);
  move_to_front(line_ups, options.baseline);
  const bool anything = std::any_of(line_ups.begin(), line_ups.end(),
                                    [](const line_up& lines) { return !lines.cells.empty(); });
  if (!anything) {
    std::size_t alone = 0;
    for (const line_up& lines : line_ups) {
      alone += lines.in_one_only.size();
      remarks.insert(remarks.end(), lines.remarks.begin(), lines.remarks.end());
    }
    throw nothing_in_common(alone == 0 ? "no benchmark is left"
                                       : fmt::format("each of the {} benchmarks is of one side only", alone),
                            runs, options, remarks);
  }
  if (!is_apart) remark_on_order(runs, labels, remarks);

  comparison all = compare(line_ups, settings);
  all.remarks.insert(all.remarks.begin(), remarks.begin(), remarks.end());
  all.differences = differences(runs, labels);
  for (std::size_t i = 0; i < settings.earlier.size(); ++i) {
    for (run_difference one : differences({runs.front(), settings.earlier[i]}, {labels.front(), "it"})) {
      one.text = fmt::format("--earlier {}: {}", options.earlier[i], one.text);
      all.differences.push_back(std::move(one));
    }
  }
  // Parts of files are compared within each, so that nothing which files differ in can mislead.
  if (!is_apart)
    for (run_difference& one : all.differences) one.misleads = false;
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
    throw nothing_in_common("no two sides have one of the metrics", runs, options, all.remarks);
  if (options.format == comparison_format::csv) fmt::print(stderr, "{}", beside_csv(all));
  fmt::print("{}", print(all, options.format));
  if (std::fflush(stdout) != 0) throw command_line_error("cannot write to standard output");
  if (!options.fail_above) return exit_fine;
  tell_what_was_not_compared(all);
  const std::vector<std::string> worse = regressions(all, *options.fail_above);
  for (const std::string& one : worse)
    fmt::print(stderr, "dbdyno-compare: --fail-above {:g}%: {}\n", 100 * *options.fail_above,
               clean_text(one));
  return worse.empty() ? exit_fine : exit_regression;
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
