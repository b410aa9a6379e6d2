#include "results/exports/exported_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/clean_text.hpp"
#include "results/exports/bencher_metrics.hpp"
#include "results/exports/benchmark_figures.hpp"
#include "results/exports/csv_table.hpp"
#include "results/exports/github_action.hpp"
#include "results/exports/google_benchmark_json.hpp"
#include "results/exports/histogram_files.hpp"
#include "results/exports/prometheus_text.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

/// The part of the run that the filter accepts.
run_file filtered(run_file run, const std::optional<name_filter>& filter) {
  if (!filter) return run;
  std::erase_if(run.rows, [&](const row& each) { return !filter->accepts(each.name); });
  std::erase_if(run.cells, [&](const cell& each) { return !filter->accepts(each.name); });
  return run;
}

/// One run in any format. Figures are made once, and only for a format that needs them.
class exporter {
 public:
  exporter(const run_file& run, const export_options& options) : run_(run), options_(options) {}

  std::vector<exported_file> files_of(export_format format) {
    if (format == export_format::hlog || format == export_format::hgrm) need_histograms();
    if (format == export_format::hgrm) return merged_histograms(run_);
    const auto text = text_of(format);
    if (!text) fail(fmt::format("there is nothing to write as {}: {}", to_string(format), why_nothing()));
    const auto stem = std::filesystem::path(options_.file).stem().string();
    return {{.name = stem + std::string(extension_of(format)), .text = *text}};
  }

  /// What nobody sees in the files that were made.
  std::vector<std::string> remarks() const {
    std::vector<std::string> out;
    if (std::any_of(options_.formats.begin(), options_.formats.end(), leaves_out)) {
      if (run_.partial) out.emplace_back("the run ended before its plan did; what it had measured is there");
      for (std::string& each : left_out(run_)) out.push_back(std::move(each));
    }
    if (!figures_) return out;
    for (const benchmark_figures& each : *figures_) {
      if (each.unmerged)
        out.push_back(each.label + ": latencies left out: those of several repetitions need histograms");
    }
    return out;
  }

 private:
  std::optional<std::string> text_of(export_format format) {
    switch (format) {
      case export_format::hlog:
      case export_format::hgrm:
        return all_histograms(run_);
      case export_format::gbench:
        return google_benchmark_json(run_);
      case export_format::gbench_median:
        return google_benchmark_median_json(run_, figures());
      case export_format::bmf:
        return bencher_metrics(figures());
      case export_format::github_action_smaller:
        return github_action_smaller(figures());
      case export_format::github_action_bigger:
        return github_action_bigger(figures());
      case export_format::csv:
        return has_repetition() ? std::optional(csv_table(run_)) : std::nullopt;
      case export_format::prometheus:
        return run_.rows.empty() ? std::nullopt : std::optional(prometheus_text(run_, figures()));
    }
    return std::nullopt;
  }

  const std::vector<benchmark_figures>& figures() {
    if (!figures_) figures_ = figures_of(run_);
    return *figures_;
  }

  bool has_repetition() const {
    return std::any_of(run_.rows.begin(), run_.rows.end(), [](const row& each) { return !each.kind; });
  }

  void need_histograms() const {
    if (std::any_of(run_.cells.begin(), run_.cells.end(),
                    [](const cell& each) { return !each.histograms.empty(); }))
      return;
    const std::string_view what = options_.filter ? "the benchmarks that --filter matches have" : "it has";
    fail(run_.imported ? fmt::format("{} no histograms, as {} writes none; --format csv does without", what,
                                     clean_text(run_.imported->format))
                       : fmt::format("{} no histograms; measure again with this dbdyno-bench", what));
  }

  std::string why_nothing() const {
    if (!has_repetition()) return "it has no repetition";
    const auto without = left_out(run_);
    return without.empty() ? "its rows do not have these figures" : without.front();
  }

  [[noreturn]] void fail(const std::string& reason) const { throw result_file_error(options_.file, reason); }

  const run_file& run_;
  const export_options& options_;
  std::optional<std::vector<benchmark_figures>> figures_{};
};

}  // namespace

exported exported_files(const run_file& whole, const export_options& options) {
  const run_file run = filtered(whole, options.filter);
  exported out;
  exporter all(run, options);
  try {
    for (const export_format format : options.formats) {
      auto files = all.files_of(format);
      std::move(files.begin(), files.end(), std::back_inserter(out.files));
    }
  } catch (const result_file_error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw result_file_error(options.file, error.what());
  }
  out.remarks = all.remarks();
  return out;
}

}  // namespace dbdyno::results
