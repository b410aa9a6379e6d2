#include "bench/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "results/statistics.hpp"

namespace dbdyno {
namespace {

/// What the repetitions of one cell come to.
struct summary {
  std::vector<double> rates{};
  std::vector<double> cpu{};
  std::uint64_t misses = 0;
  unsigned failed = 0;
  std::string error{};

  bool empty() const { return rates.empty() && failed == 0; }
};

summary summarise(const finished_run& run, std::size_t cell) {
  summary out;
  for (std::size_t i = 0; i < run.order.size(); ++i) {
    if (run.order[i].cell != cell || !run.results[i]) continue;
    const row_result& result = *run.results[i];
    out.misses += result.counts.misses();
    if (!result.ok()) {
      ++out.failed;
      if (out.error.empty()) out.error = result.error;
      continue;
    }
    out.rates.push_back(result.operations_per_second);
    out.cpu.push_back(result.client_cpu_per_operation());
  }
  return out;
}

std::string with_separators(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string as_time(double nanoseconds) {
  if (nanoseconds < 1000) return fmt::format("{:.0f} ns", nanoseconds);
  return fmt::format("{:.2f} us", nanoseconds / 1000);
}

std::string spread_of(const std::vector<double>& rates) {
  if (rates.size() < 2) return "";
  const double half = (*results::maximum(rates) - *results::minimum(rates)) / 2;
  return fmt::format("{:.0f} %", 100 * half / *results::median(rates));
}

using line = std::array<std::string, 9>;
constexpr line header = {"driver",  "mode",  "transport", "conns",        "depth",
                         "threads", "ops/s", "+/-",       "client CPU/op"};

line describe(const cell& what, const summary& figures) {
  line out{fmt::format("{}/{}", what.storage, what.driver),
           std::string(to_string(what.mode)),
           what.via == transport::in_process ? "-" : std::string(to_string(what.via)),
           what.mode == mode::async ? std::to_string(what.connections) : "-",
           what.shows_depth ? std::to_string(what.depth) : "-",
           std::to_string(what.threads)};
  if (!figures.rates.empty()) {
    out[6] = with_separators(*results::median(figures.rates));
    out[7] = spread_of(figures.rates);
    out[8] = as_time(*results::median(figures.cpu));
  }
  return out;
}

/// What stands to the right of a line, if anything.
std::string remark(const summary& figures) {
  std::string out;
  if (figures.misses != 0)
    out += fmt::format("  {} misses", with_separators(static_cast<double>(figures.misses)));
  if (figures.failed != 0) {
    out += fmt::format("  {} ERRORED: {}",
                       figures.failed == 1 ? "1 repetition" : std::to_string(figures.failed) + " repetitions",
                       figures.error);
  }
  return out;
}

void append_line(std::string& out, const line& columns, const line& widths, const std::string& right) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    // Words to the left, numbers to the right.
    const std::size_t width = widths[i].size();
    out += i < 3 ? fmt::format("{:<{}}", columns[i], width) : fmt::format("{:>{}}", columns[i], width);
    if (i + 1 < columns.size()) out += "  ";
  }
  out += right;
  out.erase(out.find_last_not_of(' ') + 1);
  out += '\n';
}

std::string explain(const finished_run& run, const bench_options& options) {
  const std::string window =
      options.requests ? fmt::format("{} requests", with_separators(static_cast<double>(*options.requests)))
                       : fmt::format("{:g} s", run.plan.duration);
  return fmt::format(
      "ops/s: operations completed and checked per second, the median of {} repetition{} of {}, less those "
      "that errored;\n"
      "+/-: half the range between the slowest and the fastest repetition, as a part of the median;\n"
      "client CPU/op: CPU time of the measuring threads, user and system, per operation.\n",
      options.repetitions, options.repetitions == 1 ? "" : "s", window);
}

}  // namespace

std::string make_table(const finished_run& run, const bench_options& options) {
  std::vector<summary> summaries;
  std::vector<line> lines;
  // Only the lengths count: a line as wide as the widest of every column.
  line widths = header;
  for (std::size_t c = 0; c < run.plan.cells.size(); ++c) {
    summaries.push_back(summarise(run, c));
    lines.push_back(describe(run.plan.cells[c].what, summaries.back()));
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (lines.back()[i].size() > widths[i].size()) widths[i] = lines.back()[i];
    }
  }
  std::string out;
  std::string workload;
  for (std::size_t c = 0; c < lines.size(); ++c) {
    if (summaries[c].empty()) continue;
    if (run.plan.cells[c].what.workload != workload) {
      workload = run.plan.cells[c].what.workload;
      out += fmt::format("{}{}\n", out.empty() ? "" : "\n", workload);
      append_line(out, header, widths, "");
    }
    append_line(out, lines[c], widths, remark(summaries[c]));
  }
  if (!out.empty()) out += "\n" + explain(run, options);
  return out;
}

}  // namespace dbdyno
