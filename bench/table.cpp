#include "bench/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "bench/cell_summary.hpp"
#include "bench/findings.hpp"
#include "bench/judge.hpp"
#include "bench/layers.hpp"
#include "bench/table_columns.hpp"
#include "results/figures.hpp"
#include "results/statistics/moments.hpp"

namespace dbdyno {
namespace {

using results::as_time;
using results::whole;

/// What a block of lines has in common: the workload, and the number of requests where the plan gives one.
std::string heading_of(const planned_cell& planned) {
  if (!planned.what.requests) return planned.what.workload;
  return fmt::format("{}, {} requests", planned.what.workload,
                     whole(static_cast<double>(*planned.what.requests)));
}

/// What stands to the right of a line, if anything.
std::string remark(const cell_summary& figures) {
  std::string out;
  if (figures.misses != 0) out += fmt::format("  {} misses", whole(static_cast<double>(figures.misses)));
  if (figures.failed != 0) {
    out += fmt::format("  {} ERRORED: {}",
                       figures.failed == 1 ? "1 repetition" : std::to_string(figures.failed) + " repetitions",
                       figures.error);
  }
  return out;
}

/// Lines of cells, without the columns that say nothing in any of them.
class text_table {
 public:
  explicit text_table(std::vector<table_column> columns)
      : columns_(std::move(columns)), widths_(columns_.size()), speaks_(columns_.size()) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      widths_[i] = columns_[i].heading.size();
      speaks_[i] = columns_[i].nothing.empty();
    }
  }

  void add(const cell& what, const cell_summary& figures) {
    std::vector<std::string> line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::string text = columns_[i].text(what, figures);
      widths_[i] = std::max(widths_[i], text.size());
      if (!text.empty() && text != columns_[i].nothing) speaks_[i] = true;
      line.push_back(std::move(text));
    }
    lines_.push_back(std::move(line));
  }

  /// To be called when all lines are there.
  std::string heading() const {
    std::vector<std::string> line;
    for (const table_column& column : columns_) line.push_back(column.heading);
    return format(line, "");
  }
  std::string format(std::size_t index, const std::string& right) const {
    return format(lines_[index], right);
  }

 private:
  std::string format(const std::vector<std::string>& line, const std::string& right) const {
    std::string out;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!speaks_[i]) continue;
      const std::size_t width = widths_[i];
      if (!out.empty()) out += "  ";
      out += columns_[i].holds_words ? fmt::format("{:<{}}", line[i], width)
                                     : fmt::format("{:>{}}", line[i], width);
    }
    out += right;
    out.erase(out.find_last_not_of(' ') + 1);
    return out + '\n';
  }

  std::vector<table_column> columns_;
  std::vector<std::size_t> widths_;
  std::vector<bool> speaks_;  ///< in any line
  std::vector<std::vector<std::string>> lines_;
};

/// Why not to believe what is not valid: of every invalid cell, and of the suspect ones as long as they are
/// few.
std::string list_reasons(const finished_run& run, const std::vector<cell_summary>& summaries) {
  constexpr std::ptrdiff_t few = 8;
  const auto is_suspect = [](const cell_summary& s) { return s.worst == results::verdict_level::suspect; };
  const auto suspects = std::count_if(summaries.begin(), summaries.end(), is_suspect);
  std::string out;
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    const cell_summary& figures = summaries[c];
    // An error stands beside its line already.
    if (figures.reasons.empty() || figures.failed != 0 || (is_suspect(figures) && suspects > few)) continue;
    out += run.plan.cells[c].what.id() + "\n";
    for (const std::string& reason : figures.reasons) out += "  " + reason + "\n";
  }
  if (suspects > few) {
    out += fmt::format(
        "{} of {} cells are suspect: why stands in the result file that --out names, and on the page that "
        "dbdyno-report makes of it; of {} at most it is printed here\n",
        suspects, summaries.size(), few);
  }
  return out.empty() ? out : "\nNot to be taken at face value:\n" + out;
}

std::string describe_layer(const std::optional<results::interval_estimate>& layer) {
  if (!layer) return "-";
  const double half = (layer->high - layer->low) / 2;
  const std::string sign = layer->mean < 0 ? "-" : "";
  const std::string out = fmt::format("{}{} +/- {}", sign, as_time(std::abs(layer->mean)), as_time(half));
  return layer->contains_zero() ? out + " (below noise)" : out;
}

std::string describe_layers(const finished_run& run) {
  const std::vector<cell_layers> layers = split_layers(run);
  if (layers.empty()) return "";
  std::string out =
      "\nLayers, per operation, mean and 95 % interval: harness is the null driver, wire a bare socket echo "
      "of as "
      "many bytes less that,\nlibrary the cell less the echo (in time, the server's work too); - where they "
      "are "
      "unknown, or repetitions too few.\n";
  for (const cell_layers& one : layers) {
    out += run.plan.cells[one.cell].what.id() + "\n";
    for (const auto& [name, split] : {std::pair{"time", one.time}, std::pair{"client CPU", one.client_cpu}}) {
      out += fmt::format("  {:<10}  harness {}, wire {}, library {}\n", name, describe_layer(split.harness),
                         describe_layer(split.wire), describe_layer(split.library));
    }
  }
  return out;
}

std::string describe_searches(const finished_run& run, const bench_options& options) {
  std::string out;
  for (const finished_search& search : run.searches) {
    const std::string name = run.plan.cells[search.cell].what.id();
    if (!search.stopped.empty()) {
      out += fmt::format("{}: no highest rate found: {}\n", name, search.stopped);
    } else if (!search.knee) {
      out += fmt::format("{}: no rate keeps {}\n", name, to_string(*options.max_rate_under));
    } else {
      out += fmt::format("{}: {} per second is the highest rate that keeps {} ({} tried; closed loop {})\n",
                         name, whole(*search.knee), to_string(*options.max_rate_under), search.steps.size(),
                         whole(*search.closed_loop));
    }
  }
  return out.empty() ? out : "\n" + out;
}

/// "0.2 s", "500 requests"; several where the cells differ.
std::string describe_lengths(const run_plan& plan) {
  std::vector<std::string> known;
  for (const planned_cell& planned : plan.cells) {
    const row_length& length = planned.length;
    std::string text = length.requests
                           ? fmt::format("{} requests", whole(static_cast<double>(*length.requests)))
                           : fmt::format("{:g} s", length.duration);
    if (std::find(known.begin(), known.end(), text) == known.end()) known.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(known, " or "));
}

std::string explain(const finished_run& run) {
  const std::string window = describe_lengths(run.plan);
  const auto has_rate = [](const planned_cell& planned) { return planned.what.rate.has_value(); };
  const char* latency = "latency of all repetitions together";
  if (std::any_of(run.plan.cells.begin(), run.plan.cells.end(), has_rate))
    latency =
        "latency of all repetitions together; with due/s, of the response time, from when a request was due";
  unsigned repetitions = 0;
  for (const scheduled_row& row : run.order) repetitions = std::max(repetitions, row.repetition + 1);
  std::string out;
  if (run.signal != 0) {
    const auto ran = std::count_if(run.results.begin(), run.results.end(),
                                   [](const std::optional<row_result>& each) { return each.has_value(); });
    // A search plans its rows as it goes.
    const std::string planned = run.searches.empty() ? fmt::format(" of {}", run.order.size()) : "";
    out += fmt::format("INTERRUPTED after {}{} rows;\n", ran, planned);
  }
  out += repetitions == 1
             ? fmt::format("ops/s: operations completed and checked per second, in {};\n", window)
             : fmt::format(
                   "ops/s: operations completed and checked per second, the median of {} repetitions of "
                   "{}, less those that errored;\n"
                   "+/-: half the range between the slowest and the fastest repetition, as a part of the "
                   "median;\n",
                   repetitions, window);
  const auto shows = [&](const char* column) {
    return std::find(run.plan.columns.begin(), run.plan.columns.end(), column) != run.plan.columns.end();
  };
  if (shows("connect")) out += "connect: until all connections of a repetition were up;\n";
  if (shows("errors")) out += "errors: of all repetitions together;\n";
  out += fmt::format(
      "p..: percentiles of the {};\n"
      "client/op, server/op: CPU time per operation, user and system: of the measuring threads, of the "
      "server's process;\n"
      "busy: CPU time / wall time: of the busiest measuring thread, or of those that share a CPU; of the "
      "server, divided by the CPUs that it can use.\n",
      latency);
  return out;
}

}  // namespace

std::string make_table(const finished_run& run, const bench_options& options) {
  const std::vector<results::verdict> verdicts = judge(run);
  std::vector<cell_summary> summaries;
  text_table table(make_columns(run.plan.columns));
  for (std::size_t c = 0; c < run.plan.cells.size(); ++c) {
    summaries.push_back(summarise(run, verdicts, c));
    table.add(run.plan.cells[c].what, summaries.back());
  }
  std::string out;
  std::string block;
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    if (summaries[c].empty()) continue;
    if (std::string heading = heading_of(run.plan.cells[c]); heading != block) {
      block = std::move(heading);
      out += fmt::format("{}{}\n", out.empty() ? "" : "\n", block) + table.heading();
    }
    out += table.format(c, remark(summaries[c]));
  }
  if (!out.empty())
    out += "\n" + explain(run) + describe_layers(run) + describe_searches(run, options) +
           describe_findings(run.plan, summaries) + list_reasons(run, summaries);
  return out;
}

}  // namespace dbdyno
