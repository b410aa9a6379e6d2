#include "results/compare/compare_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>

#include "results/clean_text.hpp"

namespace dbdyno::results {
namespace {

struct typed_arguments {
  std::vector<std::string> files{}, earlier{};
  std::string by{}, baseline{}, metrics{}, filter{}, format{}, margin{}, fail_above{};
  bool across = false;
  bool normalise = false;
  bool force = false;
};

std::string metric_names() {
  std::string out;
  for (const metric& one : all_metrics()) out += fmt::format("{}{}", out.empty() ? "" : ", ", one.name);
  return out;
}

void declare(CLI::App& app, typed_arguments& typed) {
  app.add_option("FILE", typed.files,
                 "result files: dbdyno's, plain Google Benchmark JSON, or what dbdyno-export --import made");
  app.add_option(
      "--by", typed.by,
      "compares parts of each file within it: driver, storage, mode, workload, or a parameter such as "
      "transport, conns, depth");
  app.add_flag(
      "--across", typed.across,
      "with --by: parts of all files beside each other, as with the imported results of another tool");
  app.add_option(
      "--metric", typed.metrics,
      fmt::format("what to compare, separated by commas: {}; or all (ops, p99, client_cpu)", metric_names()));
  app.add_option("--filter", typed.filter, "regular expression: benchmarks of these names (all)");
  app.add_option("--baseline", typed.baseline, "the side that the others are compared with (the first)");
  app.add_option("--same-within", typed.margin, "changes up to this are no change, such as 3% (5%)");
  app.add_option("--fail-above", typed.fail_above,
                 "exit 3 when a figure got worse by more than this, such as 5%, and by more than the noise");
  app.add_flag("--normalise", typed.normalise,
               "divides by the echo, memory or null figure of each machine's own run");
  app.add_option("--earlier", typed.earlier,
                 "earlier runs, which tell how far runs of one thing differ; may be given again")
      ->allow_extra_args(false);
  app.add_option("--format", typed.format, "table, markdown, json or csv (table)");
  app.add_flag("--force", typed.force, "compares what would mislead");
  app.set_version_flag("--version", "dbdyno-compare " DBDYNO_VERSION);
  app.set_help_flag("--help", "this text");
  app.footer(
      "Exit codes: 0 compared, 2 usage, an unusable FILE, nothing in common or a misleading comparison, 3 "
      "something got worse (--fail-above).");
}

/// "5%" is 0.05. Without the sign it could be meant as a share.
double parse_percent(std::string_view flag, std::string_view text) {
  std::string_view digits = text;
  const bool has_sign = digits.ends_with('%');
  if (has_sign) digits.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !has_sign ||
      !(value >= 0 && value < 1000)) {
    throw command_line_error(
        fmt::format("{}: '{}' is no percentage such as 5%", flag, clean_text(std::string(text))));
  }
  return value / 100;
}

std::vector<const metric*> parse_metrics(std::string_view text) {
  std::vector<const metric*> out;
  if (text == "all") {
    for (const metric& one : all_metrics()) out.push_back(&one);
    return out;
  }
  while (true) {
    const auto comma = text.find(',');
    const metric* const found = find_metric(text.substr(0, comma));
    if (found == nullptr) {
      throw command_line_error(fmt::format("--metric: there is no '{}'; there are {}, and all",
                                           clean_text(std::string(text.substr(0, comma))), metric_names()));
    }
    out.push_back(found);
    if (comma == std::string_view::npos) return out;
    text = text.substr(comma + 1);
  }
}

comparison_format parse_format(const std::string& text) {
  if (text.empty() || text == "table") return comparison_format::table;
  if (text == "markdown") return comparison_format::markdown;
  if (text == "json") return comparison_format::json;
  if (text == "csv") return comparison_format::csv;
  throw command_line_error(
      fmt::format("--format: '{}' is none of table, markdown, json, csv", clean_text(text)));
}

compare_options interpret(typed_arguments typed) {
  compare_options out;
  if (typed.files.empty()) {
    throw command_line_error(
        "no result file: give two or more that dbdyno-bench --out or scripts/bench wrote, or some with --by");
  }
  if (typed.files.size() == 1 && typed.by.empty()) {
    throw command_line_error(
        "one file alone: give another one to compare it with, or --by driver to compare what is in it");
  }
  if (typed.across && typed.by.empty())
    throw command_line_error("--across is about parts of files: say which with --by, such as --by driver");
  if (!typed.by.empty() && typed.normalise)
    throw command_line_error("--normalise is about machines: with --by each file is compared within itself");
  if (!typed.by.empty() && !typed.earlier.empty()) {
    throw command_line_error(
        "--earlier is about what differs between runs: with --by each file is compared within itself");
  }
  out.files = std::move(typed.files);
  out.by = std::move(typed.by);
  out.across = typed.across;
  out.baseline = std::move(typed.baseline);
  if (!typed.metrics.empty()) out.metrics = parse_metrics(typed.metrics);
  if (!typed.filter.empty()) out.filter.emplace(typed.filter);
  out.earlier = std::move(typed.earlier);
  out.format = parse_format(typed.format);
  if (!typed.margin.empty()) out.margin = parse_percent("--same-within", typed.margin);
  if (!typed.fail_above.empty()) out.fail_above = parse_percent("--fail-above", typed.fail_above);
  out.normalise = typed.normalise;
  out.force = typed.force;
  return out;
}

}  // namespace

parsed_compare_command parse_compare_command(int argc, const char* const* argv) {
  CLI::App app("Sets result files side by side, or the drivers in each of them.", "dbdyno-compare");
  typed_arguments typed;
  declare(app, typed);
  if (auto text = parse_command_line(app, {argv + 1, argv + argc}))
    return {.options = {}, .text = std::move(text)};
  return {.options = interpret(std::move(typed)), .text = std::nullopt};
}

}  // namespace dbdyno::results
